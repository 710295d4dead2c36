/* expect: holds; states: 3; transitions: 2 */
/* printf and assert inside a d_step cost nothing. */
byte x;
active proctype P() { d_step { printf("a\n"); x = 1; assert(x == 1); printf("b %d\n", x) } }
