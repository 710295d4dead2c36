/* expect: holds; states: 6605; transitions: 18357 */
/* Dijkstra's termination detection in a ring.

   Machines do work and send each other more of it. A token goes round against
   the numbering; it is white when it leaves machine 0, and turns black at a
   machine that has sent work to a higher number since the last visit. If it
   comes back white to a machine 0 that is white and passive, everybody is
   passive and no work is on its way: here work arrives by rendezvous, so none
   ever is. */

#define N 3

mtype = { white, black };

chan work[N]  = [0] of { bit };
chan token[N] = [1] of { mtype };
bool active_now[N] = true;
mtype colour[N] = white;

#define nobody_works (!active_now[0] && !active_now[1] && !active_now[2])

active [N] proctype machine()
{
    mtype t;

    if
    :: _pid == 0 -> token[N - 1]!white
    :: else
    fi;
    do
    :: active_now[_pid] ->
       if
       :: active_now[_pid] = false                      /* done */
       :: work[(_pid + 1) % N]!1 ->
          if
          :: (_pid + 1) % N > _pid -> colour[_pid] = black
          :: else
          fi
       :: work[_pid]?_
       fi
    :: !active_now[_pid] ->
end:   if
       :: work[_pid]?_ -> active_now[_pid] = true
       :: token[_pid]?t ->
          if
          :: _pid == 0 && t == white && colour[0] == white -> break
          :: _pid == 0 && !(t == white && colour[0] == white) ->
             colour[0] = white;
             token[N - 1]!white                         /* another round */
          :: _pid != 0 ->
             token[_pid - 1]!(colour[_pid] == black -> black : t);
             colour[_pid] = white
          fi;
          t = 0
       fi
    od;
    assert(nobody_works)                                /* machine 0 gets here */
}
