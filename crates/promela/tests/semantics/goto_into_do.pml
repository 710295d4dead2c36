/* expect: holds; states: 7; transitions: 6 */
/* A jump to a label inside a loop body. */
byte x;
active proctype P()
{
    goto inside;
    do
    :: x < 3 -> x++; inside: x = x + 2
    :: x >= 3 -> break
    od
}
