/* expect: holds; states: 10; transitions: 11 */
/* A goto as the only statement of an option is a transition of its own. */
byte x;
active proctype P()
{
    do
    :: x < 2 -> x++
    :: goto out
    od;
out:
    x = 9
}
