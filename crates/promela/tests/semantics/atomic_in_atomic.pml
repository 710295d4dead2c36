/* expect: holds; states: 8; transitions: 9 */
/* Nesting atomics changes nothing; the inner end does not end the outer. */
byte x;
active proctype P()
{
    atomic { x = 1; atomic { x = 2; x = 3 }; x = 4 }
}
active proctype Q() { byte seen; seen = x }
