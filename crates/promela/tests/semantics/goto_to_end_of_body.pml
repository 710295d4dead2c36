/* expect: holds; states: 8; transitions: 7 */
/* A label on the last statement, a skip: it is a step of its own. */
byte x;
active proctype P()
{
    if
    :: x = 1; goto done
    :: x = 2
    fi;
    x = 3;
done:
    skip
}
