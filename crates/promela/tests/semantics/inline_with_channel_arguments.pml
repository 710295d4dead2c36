/* expect: holds; states: 10; transitions: 11 */
/* Channels, messages and expressions as arguments. */
mtype = { req, ack };
chan a = [1] of { mtype, byte }; chan b = [1] of { mtype, byte };
byte r;
inline ask(to, from, what, v) { to!what,v; from?ack,v }
active proctype P() { byte n = 3; ask(a, b, req, n); r = n }
active proctype Q() { byte m; a?req,m; b!ack,m + 1 }
