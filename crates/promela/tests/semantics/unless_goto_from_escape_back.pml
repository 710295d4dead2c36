/* expect: holds; states: 41; transitions: 58 */
/* The escape jumps back into the main sequence. */
byte x, n; bool stop;
active proctype P()
{
    { x = 0; again: x = 1; x = 2; x = 3 } unless { stop -> n++; stop = false; goto again }
}
active proctype Q() { stop = true }
