/* expect: holds; states: 8; transitions: 7 */
/* The label is on an atomic. */
byte x;
active proctype P()
{
L:  atomic { x < 5; x++; x++ };
    if
    :: x < 5 -> goto L
    :: else
    fi
}
