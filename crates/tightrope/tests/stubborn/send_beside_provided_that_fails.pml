/* Only those who could receive are asked whether they may move: the send of Q does not fail because of P's clause. */
chan c = [1] of { byte };
chan r = [0] of { byte };
chan g;
active proctype P() provided (len(r) == 0 || nempty(g)) { skip }
active proctype Q() { r ! 1 }
active proctype R() { g = c }
