/* expect: holds; states: 24; transitions: 38 */
/* Leaving an atomic from within an if in it; the other option stays. */
byte x;
active proctype P()
{
    atomic {
        x = 1;
        if
        :: x == 1 -> x = 2; goto out
        :: true -> x = 3
        fi;
        x = 4
    };
    x = 5;
out:
    x = 6
}
active proctype Q() { byte seen; seen = x }
