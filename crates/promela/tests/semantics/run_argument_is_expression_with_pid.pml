/* expect: holds; states: 6; transitions: 5 */
/* _pid in an argument is the pid of the caller. */
byte r;
proctype C(byte caller; byte own) { r = caller * 10 + _pid; assert(own == 0) }
init { run C(_pid, _pid) }
