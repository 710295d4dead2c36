/* expect: holds; states: 35; transitions: 54 */
/* A loop as the main sequence: it is escaped from at its head, too. */
byte x; bool stop;
active proctype P()
{
    do
    :: x < 3 -> x++
    :: x == 3 -> x = 0
    od unless { stop -> x = 9 }
}
active proctype Q() { stop = true }
