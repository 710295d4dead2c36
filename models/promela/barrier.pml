/* expect: holds; states: 5176; transitions: 17264 */
/* A sense-reversing barrier.

   The last one to arrive turns the sense around and so releases the others.
   Because the sense alternates, the barrier can be used again at once: nobody
   can overtake the others by a whole round. */

#define N 4

byte missing = N;
bool sense;
byte round[N];          /* ghost: modulo 4 */

active [N] proctype thread()
{
    bool mine;
    byte k;

    do
    :: round[_pid] = (round[_pid] + 1) % 4;     /* some work */
       mine = !sense;
       if
       :: atomic { missing > 1 -> missing-- };
          sense == mine
       :: atomic { missing == 1 -> missing = N; sense = mine }
       fi;
       d_step {                                 /* all have done this round,
                                                   perhaps also the next */
           for (k : 0 .. N - 1) {
               assert(round[k] == round[_pid]
                      || round[k] == (round[_pid] + 1) % 4)
           }
           k = 0
       }
    od
}
