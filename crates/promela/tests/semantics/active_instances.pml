/* expect: holds; states: 55; transitions: 128 */
/* active [N] starts N processes, with pids in order of declaration. */
byte sum;
active [2] proctype P() { sum = sum + _pid }
active [2] proctype Q() { sum = sum + 10 * _pid; assert(_pid >= 2) }
