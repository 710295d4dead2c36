/* expect: holds; states: 3; transitions: 2 */
/* An argument that is not used is not evaluated. */
byte a[2]; byte x;
inline f(p, q) { x = p }
active proctype P() { f(5, a[7]) }
