/* expect: holds; states: 10; transitions: 12 */
/* A channel inside a typedef, in an array. */
typedef Port { chan in = [1] of { byte }; byte last }
Port port[2];
active [2] proctype P() { port[1 - _pid].in!_pid; port[_pid].in?port[_pid].last }
