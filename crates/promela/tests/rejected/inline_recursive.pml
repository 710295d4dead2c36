/* expect: rejected */
/* Why: an inline cannot call itself. */
byte x;
inline f(n) { x = n; f(n) }
active proctype P() { f(1) }
