/* expect: holds; states: 11; transitions: 10 */
/* An option that begins with an if: the inner guards join the choice. */
byte x;
active proctype P()
{
    do
    :: if :: x == 0 -> x = 1 :: x == 0 -> x = 2 fi; x = x + 1
    :: x >= 2 -> break
    od
}
