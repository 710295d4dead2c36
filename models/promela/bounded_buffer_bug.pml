/* expect: violated assertion; states: 134; transitions: 212; errors: 4 */
/* A monitor with a condition variable, and the most common mistake with it.

   A consumer that finds the buffer empty waits to be notified, and then takes
   an item without looking again. With two consumers the other one may have
   been quicker: the count drops below zero. Cure: `do` instead of `if` around
   the wait. */

#define SLOTS     1
#define CONSUMERS 2

bool locked;
byte waiting;           /* consumers asleep on the condition */
byte woken;             /* notifications on their way */
short items;

inline lock()   { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

inline wait_for_item()
{
    atomic { waiting++; locked = false };
    atomic { woken > 0 -> woken-- };
    lock()
}

inline notify()
{
    if
    :: atomic { waiting > 0 -> waiting--; woken++ }
    :: else
    fi
}

active proctype producer()
{
    do
    :: lock();
       if
       :: items < SLOTS -> items++; notify()
       :: else
       fi;
       unlock()
    od
}

active [CONSUMERS] proctype consumer()
{
    do
    :: lock();
       if                       /* the bug: must look again after waking */
       :: items == 0 -> wait_for_item()
       :: else
       fi;
       assert(items > 0);
       items = (items > 0 -> items - 1 : 0);
       unlock()
    od
}
