/* expect: holds; states: 9; transitions: 8 */
/* x = f(a): the return of an inline. */
byte x = 3, r;
inline twice(v) { byte t; t = v * 2; return t }
active proctype P() { r = twice(x); assert(r == 6); r = twice(r) }
