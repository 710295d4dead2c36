/* expect: holds; states: 51596; transitions: 146376 */
/* Peterson's algorithm for more than two: the filter lock.

   A thread climbs N - 1 levels; at each of them the last to arrive waits
   while anybody else is at the same level or above. One thread gets stuck at
   each level, so at most one comes through the last. */

#define N 3

byte level[N];          /* 0: not interested */
byte last[N];           /* the last to arrive at each level; last[0] unused */
byte inside;            /* ghost */

active [N] proctype thread()
{
    byte at, k;

    do
    :: for (at : 1 .. N - 1) {
           level[_pid] = at;
           last[at] = _pid;
           for (k : 0 .. N - 1) {
               (k == _pid || level[k] < at || last[at] != _pid)
           }
       }

       inside++;
       assert(inside == 1);
       inside--;

       level[_pid] = 0
    od
}
