/* expect: violated deadlock; states: 1; transitions: 0; errors: 1 */
/* The clause is never true: an invalid end state. */
byte x; bool on;
active proctype P() provided (on) { x = 1 }
