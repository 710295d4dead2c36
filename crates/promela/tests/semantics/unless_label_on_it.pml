/* expect: holds; states: 60; transitions: 89 */
/* A label on the unless as a whole, jumped to from behind. */
byte x; bool stop;
active proctype P()
{
again:
    { x = x + 1; x = x + 1 } unless { stop -> stop = false; x = 10 };
    if
    :: x < 5 -> goto again
    :: else
    fi
}
active proctype Q() { stop = true }
