/* expect: holds; states: 8; transitions: 9 */
/* A goto within the d_step. */
byte x;
active proctype P() { d_step { x = 0; again: x++; if :: x < 4 -> goto again :: else fi; x = x * 2 } }
active proctype Q() { byte v; v = x }
