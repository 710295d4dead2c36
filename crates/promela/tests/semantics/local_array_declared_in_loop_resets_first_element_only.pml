/* expect: holds; states: 15; transitions: 14 */
/* For an array in mid-body only element 0 is reset. */
byte n, seen;
active proctype P()
{
    do
    :: n < 2 -> int a[3] = 5; seen = a[0] * 10 + a[1]; a[0] = 8; a[1] = 9; n++
    :: n == 2 -> break
    od
}
