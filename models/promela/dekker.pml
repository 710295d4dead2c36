/* expect: holds; states: 146; transitions: 274 */
/* Dekker's algorithm, the first correct mutual exclusion for two.

   Unlike Peterson's it gives way politely: who finds the other interested,
   and it is not its turn, takes back its own claim until it is. */

bool want[2];
byte turn;
byte inside;        /* ghost */

active [2] proctype user()
{
    byte other = 1 - _pid;

    do
    :: want[_pid] = true;
       do
       :: want[other] ->
          if
          :: turn == other ->
             want[_pid] = false;
             turn == _pid;              /* wait for my turn */
             want[_pid] = true
          :: else                       /* my turn: insist */
          fi
       :: else -> break
       od;

       inside++;
       assert(inside == 1);
       inside--;

       turn = other;
       want[_pid] = false
    od
}
