/* expect: violated deadlock; states: 12; transitions: 16; errors: 1 */
/* The goto is the last statement of the atomic. */
byte x;
active proctype P()
{
again:
    atomic { x < 4 -> x++; x++; goto again }
}
active proctype Q() { byte seen; seen = x }
