/* expect: holds; states: 7; transitions: 7 */
/* Two labels on one statement. */
byte x;
active proctype P()
{
    if
    :: goto a
    :: goto b
    :: x = 1
    fi;
a: b:
    x = x + 1
}
