/* expect: holds; states: 4; transitions: 3 */
/* ; after a proctype, an inline and a typedef. */
typedef T { byte a; byte b; };
byte x;
inline f(v) { v++ };
active proctype P() { T t; f(x); t.a = x };
