/* Whether the send can happen, and so the `else`, depends on what the partner compares the message with. */
chan ch = [0] of { byte };
byte g, r;
active proctype Q() { if :: ch ! 1 :: else -> r = 1 fi }
active proctype P() { ch ? eval(g) }
active proctype R() { g = 1 }
