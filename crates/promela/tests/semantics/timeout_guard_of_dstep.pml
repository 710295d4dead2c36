/* expect: holds; states: 6; transitions: 5 */
/* A timeout as the guard of a d_step. */
byte x;
active proctype P() { d_step { timeout; x = 2; x = 3 } }
active proctype Q() { byte v; v = x; v = 9 }
