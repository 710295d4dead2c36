/* expect: holds; states: 12; transitions: 11 */
/* bit and bool keep the lowest bit only: 2 becomes 0. */
bit b; bool c;
active proctype P() { b = 2; assert(b == 0); b = 3; assert(b == 1); c = 2; assert(c == 0); c = 7; assert(c == 1); b++; assert(b == 0) }
