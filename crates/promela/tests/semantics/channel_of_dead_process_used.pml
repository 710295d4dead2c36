/* expect: violated deadlock; states: 6; transitions: 5; errors: 1 */
/* The channel died with its process; to who still has its identity, it looks
   empty for ever. */
chan x; byte r;
proctype C() { chan c = [1] of { byte }; x = c; c!5 }
init { run C(); _nr_pr == 1; x?r }
