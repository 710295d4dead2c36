/* expect: holds; states: 19; transitions: 27 */
/* break leaves the loop inside which the atomic is an option body. */
byte x;
active proctype P()
{
    do
    :: atomic { x < 3 -> x++; x++; if :: x >= 3 -> break :: else fi }
    od;
    x = 9
}
active proctype Q() { byte seen; seen = x }
