/* expect: rejected */
/* Why: C has two parameters, and gets one argument. (SPIN 6.5.2 crashes on
   this; a better checker says what is wrong.) */
proctype C(byte a; byte b) { skip }
init { run C(1) }
