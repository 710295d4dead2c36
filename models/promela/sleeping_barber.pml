/* expect: holds; states: 6087; transitions: 12931 */
/* The sleeping barber.

   He sleeps while nobody waits; a customer who finds no free chair leaves.
   Semaphores count waiting customers, the barber's invitations and finished
   shaves; a mutex protects the number of taken chairs. */

#define CHAIRS    2
#define CUSTOMERS 4

byte customers, invitations, shaved, mutex = 1;     /* semaphores */
byte seated;                                        /* protected by mutex */
byte in_the_chair;                                  /* ghost */

inline down(s) { atomic { s > 0 -> s-- } }
inline up(s)   { s++ }

active proctype barber()
{
end:                                /* it may sleep for ever */
    do
    :: down(customers);
       down(mutex);
       seated--;
       up(invitations);
       up(mutex);
       down(shaved)
    od
}

active [CUSTOMERS] proctype customer()
{
    down(mutex);
    if
    :: seated < CHAIRS ->
       seated++;
       assert(seated <= CHAIRS);
       up(customers);
       up(mutex);
       down(invitations);
       in_the_chair++;
       assert(in_the_chair == 1);
       in_the_chair--;
       up(shaved)
    :: else ->                      /* full: another day */
       up(mutex)
    fi
}
