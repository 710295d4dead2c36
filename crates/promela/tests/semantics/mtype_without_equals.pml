/* expect: holds; states: 4; transitions: 3 */
/* mtype { a, b }: the = may be left out. */
mtype { a, b }
mtype m = a;
active proctype P() { m = b; assert(m == 1) }
