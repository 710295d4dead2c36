/* expect: holds; states: 13; transitions: 17 */
/* A jump to a label on a second atomic, not inside it, ends the first one: a
   state is stored between the two. */
byte x;
active proctype P()
{
    atomic { x = 1; goto there };
    x = 3;
there:
    atomic { x = 5; x = 6 }
}
active proctype Q() { byte seen; seen = x }
