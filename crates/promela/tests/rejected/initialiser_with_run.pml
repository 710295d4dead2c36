/* expect: rejected */
/* Why: run is not allowed in an initialiser. */
proctype C() { skip }
init { byte p = run C(); skip }
