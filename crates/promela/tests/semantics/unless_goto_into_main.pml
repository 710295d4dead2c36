/* expect: holds; states: 17; transitions: 21 */
/* Jumping to a label inside the main sequence: the escape is watched there. */
byte x; bool stop;
active proctype P()
{
    goto inside;
    { x = 1; inside: x = 2; x = 3 } unless { stop -> x = 9 }
}
active proctype Q() { stop = true }
