/* expect: holds; states: 20; transitions: 21 */
/* The channel of a dead process is gone; the next one gets its number. */
byte r, n;
proctype C() { chan c = [1] of { byte }; r = c; n++ }
init { run C(); n == 1; _nr_pr == 1; run C(); n == 2; _nr_pr == 1; run C() }
