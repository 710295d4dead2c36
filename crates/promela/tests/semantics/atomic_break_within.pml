/* expect: holds; states: 13; transitions: 17 */
/* The whole loop, its break included, lies inside the atomic. */
byte x;
active proctype P()
{
    atomic {
        do
        :: x < 4 -> x++
        :: x >= 4 -> break
        od;
        x = 7
    };
    x = 8
}
active proctype Q() { byte seen; seen = x }
