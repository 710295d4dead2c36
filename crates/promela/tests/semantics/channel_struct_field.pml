/* expect: holds; states: 9; transitions: 8 */
/* A typedef in a message: its fields one by one. */
typedef Pair { byte a; byte b }
chan c = [1] of { byte, Pair };
byte r;
active proctype P() { Pair p; p.a = 3; p.b = 4; c!1,p }
active proctype Q() { Pair q; byte v; c?v,q; r = q.a * 10 + q.b; assert(r == 34) }
