/* expect: holds; states: 12; transitions: 11 */
/* The label is on an if: the jump goes to its choice. */
byte x;
active proctype P()
{
    x = 1;
L:  if
    :: x < 4 -> x++; goto L
    :: x == 4 -> x = 5
    fi;
    x = 6
}
