/* expect: holds; states: 603; transitions: 1890 */
/* Five dining philosophers, one of whom is left-handed.

   The last one takes the forks in the other order. A circle of waiting would
   have to go through all five, and cannot close. */

#define N 5

bool fork[N];       /* taken? */
byte eating[N];     /* ghost */

active [N] proctype philosopher()
{
    byte first  = (_pid < N - 1 -> _pid : 0);
    byte second = (_pid < N - 1 -> _pid + 1 : N - 1);

    do
    :: atomic { !fork[first]  -> fork[first]  = true };
       atomic { !fork[second] -> fork[second] = true; eating[_pid] = 1 };
       assert(eating[(_pid + 1) % N] + eating[(_pid + N - 1) % N] == 0);
       eating[_pid] = 0;
       fork[second] = false;
       fork[first] = false
    od
}
