/* expect: holds; states: 685; transitions: 1597 */
/* Readers and writers with two semaphores.

   The first reader locks the room for writers, the last one unlocks it. The
   count of readers has a mutex of its own. */

#define READERS 3
#define WRITERS 2

byte room = 1;          /* semaphore: free for a writer, or for all readers */
byte mutex = 1;         /* semaphore: protects `readers` */
byte readers;
byte reading, writing;  /* ghosts */

inline down(s) { atomic { s > 0 -> s-- } }
inline up(s)   { s++ }

active [READERS] proctype reader()
{
    do
    :: down(mutex);
       readers++;
       if
       :: readers == 1 -> down(room)
       :: else
       fi;
       up(mutex);

       reading++;
       assert(writing == 0);
       reading--;

       down(mutex);
       readers--;
       if
       :: readers == 0 -> up(room)
       :: else
       fi;
       up(mutex)
    od
}

active [WRITERS] proctype writer()
{
    do
    :: down(room);
       writing++;
       assert(writing == 1 && reading == 0);
       writing--;
       up(room)
    od
}
