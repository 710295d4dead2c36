/* expect: holds; states: 22; transitions: 21 */
/* The label is on a do: a jump restarts the loop. */
byte x, n;
active proctype P()
{
L:  do
    :: x < 2 -> x++
    :: x >= 2 && n < 2 -> n++; x = 0; goto L
    :: x >= 2 && n == 2 -> break
    od;
    x = 6
}
