/* expect: holds; states: 7; transitions: 6 */
/* skip, true and (1) are steps with a state each; -> and ; are the same. */
byte x;
active proctype P() { skip; true; 1; x = 1 -> skip }
