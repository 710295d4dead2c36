/* expect: holds; states: 11; transitions: 10 */
/* unsigned fields in structures keep their width, also in arrays of those. */
typedef T { unsigned u : 2; unsigned w : 5 }
T t[2];
active proctype P() { t[1].u = 6; assert(t[1].u == 2); t[0].w = 33; assert(t[0].w == 1); t[0].u++; t[0].u++; t[0].u++; t[0].u++; assert(t[0].u == 0) }
