/* expect: holds; states: 1104; transitions: 3354 */
/* Mutual exclusion by a token that travels around a ring.

   Stations hand the token to their right neighbour by rendezvous. Who has it
   and has work to do keeps it for the length of its critical section. */

#define N 4

chan token[N] = [0] of { bit };
bool busy[N];       /* wants to enter */
byte inside;        /* ghost */

active [N] proctype station()
{
    byte right = (_pid + 1) % N;

    if
    :: _pid == 0 -> goto holding        /* the token starts here */
    :: else
    fi;

    do
    :: !busy[_pid] -> busy[_pid] = true
    :: token[_pid]?_ ->
holding:
       if
       :: busy[_pid] ->
          inside++;
          assert(inside == 1);
          inside--;
          busy[_pid] = false
       :: !busy[_pid]
       fi;
       token[right]!0
    od
}
