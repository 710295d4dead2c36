/* expect: holds; states: 13; transitions: 14 */
/* A pid is free again after death. */
pid p; byte n;
proctype C() { n++ }
init { p = run C(); _nr_pr == 1; p = run C(); assert(p == 1); _nr_pr == 1 }
