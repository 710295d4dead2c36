/* expect: holds; states: 256263; transitions: 1056220 */
/* Paxos for a single decision, with three proposers and three acceptors.

   A proposer collects promises from a majority; acceptors report the newest
   proposal they have accepted, and the proposer must adopt it. Then it asks
   for acceptance; a majority of those decides. Whatever is lost or late, no
   two different values are ever decided. Requests stay where they are for
   ever, and who reads them may answer at any time or never, so their loss and
   delay need not be modelled. */

#define ACCEPTORS 3
#define MAJORITY  2
#define BALLOTS   3             /* ballot b belongs to proposer b - 1 */

bool asked[BALLOTS + 1];        /* phase 1: prepare(b) was sent */
byte proposal[BALLOTS + 1];     /* phase 2: accept(b, value) was sent; 0: no */

byte promised[ACCEPTORS];       /* the highest ballot promised */
byte accepted[ACCEPTORS];       /* the ballot last accepted, 0: none */
byte count[BALLOTS + 1];        /* how many have accepted in this ballot */
byte decided;                   /* the value decided, 0: none */

chan promises[BALLOTS + 1] = [ACCEPTORS] of { byte };   /* ballot accepted before */

inline promise(b)
{
    atomic {
        asked[b] && promised[_pid] < b ->
        promised[_pid] = b;
        promises[b]!accepted[_pid]
    }
}

inline accept(b)
{
    atomic {
        proposal[b] != 0 && promised[_pid] <= b && accepted[_pid] != b ->
        promised[_pid] = b;
        accepted[_pid] = b;
        count[b]++;
        if
        :: count[b] == MAJORITY ->
           assert(decided == 0 || decided == proposal[b]);
           decided = proposal[b]
        :: else
        fi
    }
}

active [ACCEPTORS] proctype acceptor()
{
end:
    do
    :: promise(1)
    :: promise(2)
    :: promise(3)
    :: accept(1)
    :: accept(2)
    :: accept(3)
    od
}

active [BALLOTS] proctype proposer()
{
    byte ballot = _pid - ACCEPTORS + 1;
    byte newest, seen, n;

    asked[ballot] = true;
    do
    :: n < MAJORITY ->
end:   atomic {
           promises[ballot]?seen ->
           n++;
           newest = (seen > newest -> seen : newest);
           seen = 0
       }
    :: n == MAJORITY -> break
    od;
    proposal[ballot] = (newest > 0 -> proposal[newest] : ballot)
}
