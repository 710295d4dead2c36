/* expect: holds; states: 4; transitions: 3 */
/* A jump into the middle of an option. */
byte x;
active proctype P()
{
    goto mid;
    if
    :: x == 0 -> x = 1; mid: x = x + 5
    :: x == 1 -> x = 2
    fi;
    x = x + 1
}
