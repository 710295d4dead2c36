/* expect: holds; states: 20172; transitions: 64943 */
/* Two-phase commit of one transaction.

   The coordinator asks everybody to vote, and commits only if all say yes. A
   participant may fail before it votes; the coordinator then hears nothing
   from it, and takes the silence (a timeout) for a no. A participant that
   voted yes must wait for the decision; one that voted no aborts at once. */

#define N 3

mtype = { prepare, commit, abort, yes, no };

chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype };
mtype outcome[N] = 0;       /* what each participant did in the end */
byte yeses;                 /* ghost: participants that voted yes */

inline agreement()
{
    d_step {
        for (k : 0 .. N - 1) {
            assert(outcome[k] != commit || yeses == N);
            assert(!(outcome[_pid] == commit && outcome[k] == abort))
        }
        k = 0
    }
}

active [N] proctype participant()
{
    byte k;

    if
    :: to[_pid]?prepare
    :: goto failed                              /* before the vote */
    fi;
    if
    :: atomic { yeses++; votes!yes };
       if
       :: to[_pid]?commit -> outcome[_pid] = commit
       :: to[_pid]?abort  -> outcome[_pid] = abort
       fi
    :: votes!no;
       outcome[_pid] = abort;
       to[_pid]?abort
    fi;
    agreement();
failed:
    skip
}

active proctype coordinator()
{
    byte i, count;
    mtype decision = commit;

    for (i : 0 .. N - 1) {
        to[i]!prepare
    }
    do
    :: count < N && decision == commit ->
       if
       :: votes?yes -> count++
       :: votes?no  -> decision = abort
       :: timeout   -> decision = abort         /* somebody is down */
       fi
    :: else -> break
    od;
    for (i : 0 .. N - 1) {
        if
        :: to[i]!decision
        :: timeout                              /* never read his mail */
        fi
    }
}
