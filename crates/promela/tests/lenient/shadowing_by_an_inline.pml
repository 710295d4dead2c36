/* expect: accepted */
/* Why: the same for a local of an inline called where its name is visible. */
byte r, t;
inline f(v) { byte t; t = v; r = t }
active proctype P() { f(1) }
