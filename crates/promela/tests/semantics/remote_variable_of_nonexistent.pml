/* expect: holds; states: 9; transitions: 11 */
/* A pid nobody has: zero. */
byte seen = 9;
active proctype P() { byte v = 4; v = 5 }
active proctype Q() { seen = P[7]:v; assert(seen == 0) }
