/* expect: rejected */
/* Why: C has two parameters. */
proctype C(byte a; byte b) { skip }
init { run C(1) }
