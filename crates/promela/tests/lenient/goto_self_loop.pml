/* expect: accepted */
/* Why: a label whose only statement jumps to itself is no place to be:
   "infinite goto loop". */
byte x;
active proctype P()
{
    x = 1;
L:  goto L
}
