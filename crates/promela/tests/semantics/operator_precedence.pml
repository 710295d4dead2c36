/* expect: holds; states: 10; transitions: 9 */
/* Comparison binds closer than &, and + closer than <<. */
byte r;
active proctype P() { r = 1 + 1 << 2; assert(r == 8); r = 6 & 3 == 3; assert(r == 0); r = 2 | 1 && 0; assert(r == 0); r = 7 - 2 - 1; assert(r == 4) }
