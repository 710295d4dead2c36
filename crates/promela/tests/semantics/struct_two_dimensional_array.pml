/* expect: holds; states: 31; transitions: 30 */
/* The customary way to a matrix. */
typedef Row { byte col[3] }
Row m[2];
active proctype P() { byte i, j; for (i : 0 .. 1) { for (j : 0 .. 2) { m[i].col[j] = i * 3 + j } }; assert(m[1].col[2] == 5) }
