/* expect: holds; states: 4; transitions: 3 */
/* goto a; a: goto b; b: goto c: all folded into the statement before. */
byte x;
active proctype P()
{
    x = 1; goto a;
a:  goto b;
b:  goto c;
c:  x = 2
}
