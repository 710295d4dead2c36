/* expect: holds; states: 18; transitions: 28 */
/* A labelled skip as the last statement of the atomic, jumped to. */
byte x;
active proctype P()
{
    atomic {
        x = 1;
        if
        :: goto done
        :: x = 2
        fi;
        x = 3;
done:   skip
    };
    x = 4
}
active proctype Q() { byte seen; seen = x }
