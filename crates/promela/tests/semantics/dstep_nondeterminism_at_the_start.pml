/* expect: holds; states: 7; transitions: 6 */
/* Also a choice that is the very first statement takes its first executable
   option, only. */
byte x, n;
active proctype P()
{
    do
    :: n < 2 -> d_step { if :: x = 1 :: x = 2 :: x = 3 fi; n++ }
    :: n == 2 -> break
    od
}
