/* expect: holds; states: 3; transitions: 2 */
/* A goto that begins the body: the process starts at its target. */
byte x;
active proctype P()
{
    goto a;
    x = 1;
a:  x = 2
}
