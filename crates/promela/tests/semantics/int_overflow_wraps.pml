/* expect: holds; states: 8; transitions: 7 */
/* int: 32 bits with a sign. */
int i = 2147483647;
active proctype P() { i++; assert(i < 0); i = i - 1; assert(i > 0); i = 65536 * 65536; assert(i == 0) }
