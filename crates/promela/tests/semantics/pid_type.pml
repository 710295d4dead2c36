/* expect: holds; states: 6; transitions: 5 */
/* pid is an unsigned byte. */
pid p; byte r;
active proctype P() { p = _pid; p--; r = p; assert(r == 255) }
