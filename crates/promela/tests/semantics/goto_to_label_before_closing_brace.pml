/* expect: holds; states: 8; transitions: 7 */
/* A label with nothing after it but the brace: SPIN 6 supplies the skip. */
byte x;
active proctype P()
{
    if
    :: x = 1; goto done
    :: x = 2
    fi;
    x = 3;
done:
}
