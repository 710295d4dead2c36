/* One option of a selection receives from a channel that is known only at run time. */
bit b;
chan d[2] = [2] of { byte };
byte s;
active proctype P1() { byte l; d[b] ! 3; d[0] ? <l> }
active proctype P0() { byte l; if :: s = 1 :: d[b] ? l fi }
