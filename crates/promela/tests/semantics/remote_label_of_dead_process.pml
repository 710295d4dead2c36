/* expect: holds; states: 9; transitions: 8 */
/* The process is gone: it is at no label. */
byte seen = 9;
proctype C() { skip; there: skip }
init { pid p; p = run C(); _nr_pr == 1; seen = C[p]@there; assert(seen == 0) }
