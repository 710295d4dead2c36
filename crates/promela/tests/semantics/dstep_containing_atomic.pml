/* expect: holds; states: 8; transitions: 9 */
/* An atomic inside a d_step. */
byte x;
active proctype P() { d_step { x = 1; atomic { x = 2; x = 3 }; x = 4 } }
active proctype Q() { byte v; v = x }
