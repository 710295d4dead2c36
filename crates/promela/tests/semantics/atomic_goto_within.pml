/* expect: holds; states: 8; transitions: 9 */
/* A jump from one place inside an atomic to another inside the same one. */
byte x;
active proctype P()
{
    atomic {
        x = 1;
again:
        x++;
        if
        :: x < 5 -> goto again
        :: else
        fi;
        x = 10
    }
}
active proctype Q() { byte seen; seen = x }
