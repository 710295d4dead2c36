/* expect: holds; states: 16; transitions: 15 */
/* A jump out of two loops at once. */
byte x, y;
active proctype P()
{
    do
    :: y = 0;
       do
       :: y < 2 -> y++
       :: y == 2 && x == 1 -> goto out
       :: y == 2 && x == 0 -> x++; break
       od
    od;
out:
    y = 9
}
