/* expect: holds; states: 7060; transitions: 20552 */
/* Producers and consumers around a ring buffer, with three semaphores.

   `vacant` and `filled` count the slots, `mutex` protects the two indices.
   Nothing is lost and nothing is taken twice: a slot is written only when it
   is empty (0), and read only when it is not. */

#define SLOTS     2
#define PRODUCERS 2
#define CONSUMERS 2

byte buffer[SLOTS];
byte head, tail;
byte vacant = SLOTS, filled = 0, mutex = 1;

inline down(s) { atomic { s > 0 -> s-- } }
inline up(s)   { s++ }

active [PRODUCERS] proctype producer()
{
    do
    :: down(vacant);
       down(mutex);
       assert(buffer[tail] == 0);
       buffer[tail] = _pid + 1;
       tail = (tail + 1) % SLOTS;
       up(mutex);
       up(filled)
    od
}

active [CONSUMERS] proctype consumer()
{
    byte item;

    do
    :: down(filled);
       down(mutex);
       item = buffer[head];
       buffer[head] = 0;
       head = (head + 1) % SLOTS;
       up(mutex);
       up(vacant);
       assert(item > 0 && item <= PRODUCERS);
       item = 0
    od
}
