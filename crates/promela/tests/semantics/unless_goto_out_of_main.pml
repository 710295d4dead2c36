/* expect: holds; states: 19; transitions: 24 */
/* Jumping out of the main sequence. */
byte x; bool stop;
active proctype P()
{
    { x = 1; goto out; x = 2 } unless { stop -> x = 9 };
    x = x + 20;
out:
    x = x + 40
}
active proctype Q() { stop = true }
