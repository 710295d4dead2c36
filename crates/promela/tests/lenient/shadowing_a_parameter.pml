/* expect: accepted */
/* Why: the same for a parameter. */
byte r;
proctype C(byte x) { { byte x = 2; r = x } }
init { run C(1) }
