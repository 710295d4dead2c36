/* expect: holds; states: 8; transitions: 9 */
/* The value of run is 0 only for a process with pid 0, or a failure: a child
   of init never has pid 0. */
byte r;
proctype C() { skip }
init { r = (run C() != 0); assert(r == 1) }
