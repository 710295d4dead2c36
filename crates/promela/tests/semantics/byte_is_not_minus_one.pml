/* expect: holds; states: 9; transitions: 8 */
/* Comparison is between ints: a byte never equals -1. */
byte b; short s; unsigned u : 8;
active proctype P() { b = -1; assert(b != -1); assert(b > -1); s = -1; assert(s == -1); u = -1; assert(u != -1 && u == 255) }
