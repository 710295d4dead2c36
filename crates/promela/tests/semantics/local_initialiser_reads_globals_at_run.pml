/* expect: holds; states: 44; transitions: 54 */
/* The initialiser of a child sees the globals as they are at the run. */
byte x;
proctype C() { byte seen = x; assert(seen == 1 || seen == 2 || seen == 11); x = seen + 10 }
init { x = 1; run C(); x = 2; run C() }
