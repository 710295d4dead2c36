/* expect: holds; states: 45434; transitions: 131034 */
/* The queue lock of Mellor-Crummey and Scott, in miniature.

   Waiting threads form a linked list; each spins on a flag of its own, and
   the holder wakes its successor. The delicate place is the release: who
   sees no successor tries to swing `tail` back to empty, and if that fails,
   somebody is just arriving and must be waited for. */

#define N    3
#define NONE 255

byte tail = NONE;           /* the last thread in the queue */
byte successor[N] = NONE;
bool waiting[N];
byte inside;                /* ghost */

inline swap_tail(old, new)
{
    d_step { old = tail; tail = new }
}

active [N] proctype thread()
{
    byte before;
    bool emptied;

    do
    ::  /* acquire */
        successor[_pid] = NONE;
        waiting[_pid] = true;
        swap_tail(before, _pid);
        if
        :: before == NONE                       /* the lock was free */
        :: else ->
           successor[before] = _pid;
           !waiting[_pid]
        fi;

        inside++;
        assert(inside == 1);
        inside--;

        /* release */
        if
        :: successor[_pid] == NONE ->
           d_step {                             /* compare-and-swap */
               emptied = (tail == _pid);
               if :: emptied -> tail = NONE :: else fi
           };
           if
           :: emptied -> goto released
           :: else -> successor[_pid] != NONE   /* it is on its way */
           fi
        :: else
        fi;
        waiting[successor[_pid]] = false;
released:
        before = 0; emptied = false
    od
}
