/* expect: holds; states: 12; transitions: 11 */
/* Fields of a typedef are cut to their types. */
typedef T { bit b; byte c; short s; unsigned u : 4; bool f[2] }
T t;
active proctype P() { t.b = 2; assert(t.b == 0); t.c = 256; assert(t.c == 0); t.s = 65535; assert(t.s == -1); t.u = 19; assert(t.u == 3); t.f[1] = 2; assert(t.f[1] == 2) }
