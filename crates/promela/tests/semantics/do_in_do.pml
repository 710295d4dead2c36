/* expect: holds; states: 17; transitions: 16 */
/* A loop as the last statement of an option of another loop. */
byte x, y;
active proctype P()
{
    do
    :: x < 2 -> x++; y = 0;
       do
       :: y < x -> y++
       :: y == x -> break
       od
    :: x == 2 -> break
    od
}
