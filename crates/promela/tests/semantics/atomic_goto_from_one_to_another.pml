/* expect: holds; states: 8; transitions: 9 */
/* A jump from inside one atomic to a label inside another one: atomicity is
   kept, there is no state in between. */
byte x;
active proctype P()
{
    atomic { x = 1; goto there; x = 2 };
    x = 3;
    atomic { x = 4; there: x = 5; x = 6 }
}
active proctype Q() { byte seen; seen = x }
