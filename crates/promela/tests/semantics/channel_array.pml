/* expect: holds; states: 13; transitions: 14 */
/* An array of channels, each with a buffer of its own. */
chan c[2] = [1] of { byte };
byte r;
active [2] proctype P() { c[_pid]!_pid; c[1 - _pid]?r }
