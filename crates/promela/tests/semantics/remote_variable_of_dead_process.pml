/* expect: holds; states: 8; transitions: 7 */
/* The process is gone: pan reads zeros. */
byte seen = 9;
proctype C() { byte v = 4; v = 5 }
init { pid p; p = run C(); _nr_pr == 1; seen = C[p]:v; assert(seen == 0) }
