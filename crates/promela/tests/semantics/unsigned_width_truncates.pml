/* expect: holds; states: 9; transitions: 8 */
/* An unsigned of n bits keeps the low n bits. */
unsigned u : 3 = 5;
byte r;
active proctype P() { u = u + 4; assert(u == 1); u = 15; assert(u == 7); u = u - 8; assert(u == 7); r = u * 2 }
