/* expect: holds; states: 9; transitions: 8 */
/* An option that begins with a loop: the inner guards join the choice. */
byte x;
active proctype P()
{
    do
    :: do :: x < 2 -> x++ :: x == 2 -> break od; x = 5
    :: x == 5 -> break
    od
}
