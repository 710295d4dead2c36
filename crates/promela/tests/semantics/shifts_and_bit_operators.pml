/* expect: holds; states: 9; transitions: 8 */
/* << >> & | ^ ~ ! as in C, with C's precedence between them. (Two ! in a
   row would be the sorted send.) */
int a = 5;
active proctype P()
{
    assert(a << 2 == 20); assert(a >> 1 == 2); assert(-8 >> 1 == -4);
    assert((a & 3) == 1 && (a | 2) == 7 && (a ^ 1) == 4 && ~a == -6);
    assert(!a == 0 && !(!a) == 1);
    a = a & 4 | 1 << 1; assert(a == 6)
}
