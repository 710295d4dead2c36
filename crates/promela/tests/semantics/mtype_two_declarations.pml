/* expect: holds; states: 10; transitions: 9 */
/* A second mtype declaration continues the numbering: 2 1, then 4 3. */
mtype = { a1, a2 };
mtype = { b1, b2 };
byte r;
active proctype P() { r = a1; assert(r == 2); r = a2; assert(r == 1); r = b1; assert(r == 4); r = b2; assert(r == 3) }
