/* expect: holds; states: 49; transitions: 62 */
/* Its value is 0 at the start, then the pid of whoever moved last. */
byte seen;
active proctype P() { skip; seen = 10 + _last; skip }
active proctype Q() { assert(_last == 0); seen = 20 + _last }
