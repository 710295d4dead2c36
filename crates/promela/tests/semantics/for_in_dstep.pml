/* expect: holds; states: 3; transitions: 2 */
/* A for inside a d_step. */
byte i, s;
active proctype P() { d_step { for (i : 1 .. 4) { s = s + i } i = 0 } }
