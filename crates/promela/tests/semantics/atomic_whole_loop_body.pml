/* expect: holds; states: 34; transitions: 67 */
/* do :: atomic { } od: control comes back to the loop head without a state. */
byte x;
active proctype P()
{
    do
    :: atomic { x < 6 -> x++; x++ }
    :: atomic { x >= 6 -> break }
    od
}
active proctype Q() { byte seen; do :: seen = x :: break od }
