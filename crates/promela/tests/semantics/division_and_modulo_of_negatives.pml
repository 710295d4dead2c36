/* expect: holds; states: 6; transitions: 5 */
/* As in C: towards zero, the remainder takes the sign of the dividend. */
int a = -7, b = 2;
active proctype P() { assert(a / b == -3); assert(a % b == -1); assert(7 / -2 == -3); assert(7 % -2 == 1) }
