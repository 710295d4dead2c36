/* expect: holds; states: 7; transitions: 6 */
/* The death of a process is a move as well. */
byte n;
active proctype P() { timeout -> n = _nr_pr; assert(n == 1) }
active proctype Q() { skip }
