/* expect: holds; states: 16; transitions: 23 */
/* A goto in the main sequence is no place of its own: it cannot be escaped
   from, the statement in front of it leads straight to the label. */
byte x; bool stop;
active proctype P()
{
    { skip; again: x = 1 - x; goto again } unless { stop -> x = 9 }
}
active proctype Q() { stop = true }
