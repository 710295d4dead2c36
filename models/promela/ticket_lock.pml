/* expect: holds; states: 1540; transitions: 2992 */
/* A ticket lock: one atomic fetch-and-add hands out tickets, and the lock
   serves them in order. Tickets are counted modulo the number of threads,
   which is enough, since no more than N are ever waiting. */

#define N 4

byte next;          /* the next ticket to hand out */
byte serving;       /* the ticket that may enter */
byte inside;        /* ghost */

inline fetch_and_increment(ticket)
{
    d_step { ticket = next; next = (next + 1) % N }
}

active [N] proctype thread()
{
    byte mine;

    do
    :: fetch_and_increment(mine);
       serving == mine;

       inside++;
       assert(inside == 1);
       inside--;

       mine = 0;
       serving = (serving + 1) % N
    od
}
