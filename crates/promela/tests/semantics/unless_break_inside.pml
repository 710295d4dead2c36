/* expect: holds; states: 42; transitions: 62 */
/* A break in the main sequence leaves the loop and the unless. */
byte x; bool stop;
active proctype P()
{
    do
    :: x++; { if :: x > 2 -> break :: else -> skip fi } unless { stop -> x = 9; break }
    od;
    x = x + 20
}
active proctype Q() { stop = true }
