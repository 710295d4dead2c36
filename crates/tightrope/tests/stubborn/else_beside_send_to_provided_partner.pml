/* The same, by the `provided` clause of the partner. */
chan ch = [0] of { byte };
bit g;
byte r;
active proctype Q() { if :: ch ! 1 :: else -> r = 1 fi }
active proctype P() provided (g == 1) { ch ? 1 }
active proctype R() { g = 1 }
