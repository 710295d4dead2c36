/* expect: accepted */
/* Why: no run inside a d_step. */
byte n;
proctype C() { skip }
init { d_step { n = 1; run C() } }
