/* expect: holds; states: 18; transitions: 28 */
/* The last statement is a loop: its break is the last atomic step. */
byte x;
active proctype P()
{
    atomic {
        x = 1;
        do
        :: x < 4 -> x++
        :: x == 4 -> x = 5; break
        :: x == 2 -> break
        od
    };
    x = 9
}
active proctype Q() { byte seen; seen = x }
