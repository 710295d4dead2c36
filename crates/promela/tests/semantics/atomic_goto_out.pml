/* expect: holds; states: 29; transitions: 43 */
/* A goto that leaves an atomic is its last atomic step: it costs a transition
   inside the atomic, but no state. */
byte x;
active proctype P()
{
    atomic { x = 1; x = 2; goto out; x = 3 }
out:
    x = 4; x = 5
}
active proctype Q() { byte seen; seen = x; seen = x }
