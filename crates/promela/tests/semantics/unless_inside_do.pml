/* expect: holds; states: 36; transitions: 48 */
/* An unless at the head of an option (SPIN grumbles, and goes on): its escape
   is one of the whole loop head, and excludes the other options, too. */
byte x; bool stop;
active proctype P()
{
    do
    :: { x < 3 -> x++ } unless { stop -> break }
    :: x == 3 -> x = 0
    od
}
active proctype Q() { stop = true }
