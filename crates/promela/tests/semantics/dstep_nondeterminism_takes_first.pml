/* expect: holds; states: 3; transitions: 2 */
/* Several options are executable: a d_step takes the first, only. */
byte x;
active proctype P()
{
    d_step {
        x = 1;
        if
        :: x == 2 -> x = 10
        :: x == 1 -> x = 20
        :: true -> x = 30
        fi
    }
}
