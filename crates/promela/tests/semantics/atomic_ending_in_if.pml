/* expect: holds; states: 18; transitions: 28 */
/* The last statement is a choice: the steps that leave the options are the
   last atomic steps. */
byte x;
active proctype P()
{
    atomic {
        x = 1;
        if
        :: x = 2
        :: x = 3; x = 4
        fi
    };
    x = 9
}
active proctype Q() { byte seen; seen = x }
