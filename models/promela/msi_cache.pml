/* expect: holds; states: 5762; transitions: 15423 */
/* A toy of MSI cache coherence, all messages by rendezvous.

   One memory word, N caches, one bus. A cache line is Invalid, Shared or
   Modified. To read, a cache asks the bus for a shared copy: a modified one
   elsewhere is written back and becomes shared. To write, it asks for an
   exclusive copy: all others are invalidated. A cache that would like to have
   the bus still answers the bus's snooping; otherwise two of them would
   deadlock. The word has two values, and `newest` remembers the last write:
   every load must see it. */

#define N 3

mtype = { Invalid, Shared, Modified, read, write, downgrade, invalidate };

chan bus = [0] of { mtype, byte };          /* a request, and who asks */
chan snoop[N] = [0] of { mtype };
chan fill[N] = [0] of { bit };              /* the answer: the word */

mtype line[N] = Invalid;
bit   word[N];
bit   memory;
bit   newest;                               /* ghost */

inline load()  { assert(word[_pid] == newest) }
inline store() { atomic { word[_pid] = 1 - word[_pid]; newest = word[_pid] } }

inline fetch(kind, state)
{
    bus!kind,_pid -> fill[_pid]?word[_pid]; line[_pid] = state
}

/* The rendezvous is inside the atomic: the arbiter cannot go on, and read the
   memory, before a modified word is written back. */
inline answer_snoop()
{
    atomic {
        snoop[_pid]?order ->
        if
        :: line[_pid] == Modified -> memory = word[_pid]
        :: else
        fi;
        if
        :: order == downgrade && line[_pid] != Invalid -> line[_pid] = Shared
        :: else -> line[_pid] = Invalid; word[_pid] = 0
        fi;
        order = 0
    }
}

active [N] proctype cache()
{
    mtype order;

    do
    :: line[_pid] == Invalid ->
       if
       :: answer_snoop()
       :: fetch(read, Shared)
       :: fetch(write, Modified)
       fi
    :: line[_pid] == Shared ->
       if
       :: answer_snoop()
       :: load()
       :: fetch(write, Modified)
       fi
    :: line[_pid] == Modified ->
       if
       :: answer_snoop()
       :: load()
       :: store()
       fi
    od
}

inline tell_others(what)
{
    for (i : 0 .. N - 1) {
        if
        :: i != who -> snoop[i]!what
        :: else
        fi
    }
}

active proctype arbiter()
{
    byte who, i;

    do
    :: bus?read,who  -> tell_others(downgrade);  fill[who]!memory
    :: bus?write,who -> tell_others(invalidate); fill[who]!memory
    od
}
