/* expect: holds; states: 34; transitions: 52 */
/* A local array of channels. */
byte r;
active [2] proctype P() { chan c[2] = [1] of { byte }; c[0]!_pid; c[1]!_pid + 1; c[0]?_; c[1]?r }
