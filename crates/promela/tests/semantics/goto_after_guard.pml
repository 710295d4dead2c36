/* expect: holds; states: 8; transitions: 7 */
/* guard -> goto: one transition. */
byte x;
active proctype P()
{
    do
    :: x < 2 -> x++
    :: x == 2 -> goto out
    od;
    x = 7;
out:
    x = 9
}
