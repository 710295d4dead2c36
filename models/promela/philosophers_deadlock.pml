/* expect: violated deadlock; states: 392; transitions: 1415; errors: 1 */
/* Five dining philosophers, each of whom takes the left fork first.

   If all of them take it at once, nobody ever gets a right one: an invalid
   end state. */

#define N 5

bool fork[N];       /* taken? */

active [N] proctype philosopher()
{
    byte left = _pid;
    byte right = (_pid + 1) % N;

    do
    :: atomic { !fork[left]  -> fork[left]  = true };
       atomic { !fork[right] -> fork[right] = true };
       /* eats */
       fork[right] = false;
       fork[left] = false
       /* thinks */
    od
}
