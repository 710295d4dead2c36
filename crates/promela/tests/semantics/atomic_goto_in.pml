/* expect: holds; states: 19; transitions: 27 */
/* A jump to a label inside an atomic: from there on the rest is atomic. */
byte x;
active proctype P()
{
    x = 1;
    goto inside;
    atomic { x = 2; inside: x = 3; x = 4; x = 5 };
    x = 6
}
active proctype Q() { byte seen; seen = x }
