/* expect: holds; states: 5; transitions: 4 */
/* d_step { skip } is one step. */
byte x;
active proctype P() { d_step { skip }; atomic { skip }; x = 1 }
