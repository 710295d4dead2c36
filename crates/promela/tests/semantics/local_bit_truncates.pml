/* expect: holds; states: 12; transitions: 11 */
/* Small types as locals: cut as the globals are; arrays of bool are bytes. */
active proctype P() { bit b; bool c; unsigned u : 2; short s; bool d[2]; b = 2; assert(b == 0); c = 3; assert(c == 1); u = 7; assert(u == 3); s = 65535; assert(s == -1); d[1] = 2; assert(d[1] == 2) }
