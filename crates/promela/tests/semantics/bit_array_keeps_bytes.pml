/* expect: holds; states: 9; transitions: 8 */
/* An array of bits or bools is an array of bytes: 2 stays 2. */
bit b[2]; bool c[2];
active proctype P() { b[1] = 2; assert(b[1] == 2); c[0] = 255; c[0]++; assert(c[0] == 0); b[0] = 258; assert(b[0] == 2) }
