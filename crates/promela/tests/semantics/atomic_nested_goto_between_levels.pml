/* expect: holds; states: 24; transitions: 41 */
/* From an inner atomic to a label of the outer one, and out of both. */
byte x;
active proctype P()
{
    atomic {
        x = 1;
        atomic { x = 2; if :: goto mid :: goto out :: x = 3 fi; x = 4 };
        x = 5;
mid:    x = 6
    };
    x = 7;
out:
    x = 8
}
active proctype Q() { byte v; v = x }
