/* expect: holds; states: 17; transitions: 16 */
/* A typedef variable in mid-body: a step that does nothing. */
typedef T { byte a; byte b = 4; byte c[2] }
byte n, seen;
active proctype P()
{
    do
    :: n < 2 -> T t; seen = t.a * 10 + t.b; t.a = 1; t.b = 2; t.c[1] = 7; n++
    :: n == 2 -> break
    od
}
