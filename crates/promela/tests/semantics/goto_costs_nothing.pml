/* expect: holds; states: 6; transitions: 5 */
/* A goto after a statement is folded into it: no state of its own. */
byte x;
active proctype P()
{
    x = 1; goto a;
b:  x = 3; goto c;
a:  x = 2; goto b;
c:  x = 4
}
