/* expect: holds; states: 9; transitions: 8 */
/* A local of an inline is a new variable at each call, its declaration a step. */
byte r;
inline f(v) { byte t; t = t + v; r = t }
active proctype P() { f(1); f(2); assert(r == 2) }
