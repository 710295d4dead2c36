/* expect: rejected */
/* Why: there are no arrays of unsigned. */
unsigned u[2] : 3;
active proctype P() { u[1] = 9 }
