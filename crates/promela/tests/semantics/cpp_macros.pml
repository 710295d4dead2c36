/* expect: holds; states: 6; transitions: 5 */
/* Object-like and function-like macros, conditionals, #undef. */
#define N 3
#define INC(v) v = v + 1
#define twice(a) a; a
#if N > 2
#define BIG 1
#else
#define BIG 0
#endif
#ifdef NOT_DEFINED
this is no Promela
#endif
#undef N
#define N 4
byte x;
active proctype P() { twice(INC(x)); x = N + BIG; assert(x == 5) }
