/* expect: holds; states: 8; transitions: 7 */
/* An index may be any expression, also another array's element. */
byte a[3]; byte b[2];
active proctype P() { b[1] = 2; a[b[1]] = 4; a[a[2] - 3] = 9; assert(a[1] == 9); a[(b[1] > 1 -> 0 : 2)] = 5; assert(a[0] == 5) }
