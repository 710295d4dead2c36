/* expect: holds; states: 8; transitions: 7 */
/* Assigning to a channel parameter changes only the copy. */
chan c = [1] of { byte }; chan d = [1] of { byte };
proctype C(chan p) { p = d; p!1 }
init { run C(c); _nr_pr == 1; assert(len(c) == 0 && len(d) == 1) }
