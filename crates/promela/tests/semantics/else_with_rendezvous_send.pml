/* expect: holds; states: 11; transitions: 11 */
/* else beside a rendezvous send: a ready receiver excludes it. */
chan c = [0] of { byte };
byte r;
active proctype P() { if :: c!1 -> r = 1 :: else -> r = 2 fi }
active proctype Q() { byte v; c?v; r = r + 10 }
