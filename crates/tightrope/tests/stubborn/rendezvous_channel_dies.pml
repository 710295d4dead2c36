/* A handshake on a channel that goes with the process that owns it: sleep sets. */
byte y;
chan g;
proctype P0() { g ? y; g ? 1 }
proctype P1() { g ! 2 }
proctype P2() { chan o = [0] of { byte }; g = o }
init { run P0(); run P1(); run P2() }
