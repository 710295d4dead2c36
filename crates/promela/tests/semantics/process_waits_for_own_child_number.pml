/* expect: holds; states: 15; transitions: 17 */
/* A parent counts the processes before and after. */
byte before, after;
proctype C() { skip }
init { before = _nr_pr; run C(); after = _nr_pr; assert(before == 1 && (after == 1 || after == 2)) }
