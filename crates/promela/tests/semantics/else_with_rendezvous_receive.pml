/* expect: violated deadlock; states: 13; transitions: 13; errors: 1 */
/* else beside a rendezvous receive: a waiting sender does not exclude it, for
   without an offer under way the receive is not executable. */
chan c = [0] of { byte };
byte r;
active proctype P() { byte v; if :: c?v -> r = 1 :: else -> r = 2 fi }
active proctype Q() { c!1; r = r + 10 }
