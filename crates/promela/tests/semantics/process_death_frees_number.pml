/* expect: holds; states: 12; transitions: 11 */
/* _nr_pr counts processes that are not dead; init waits for its child. */
byte x;
proctype C() { x++ }
init { run C(); _nr_pr == 1; assert(x == 1); run C(); (_nr_pr == 1); assert(x == 2) }
