/* expect: holds; states: 38; transitions: 64 */
/* Peterson's mutual exclusion for two.

   A process says that it wants to enter, and then gives the other one
   precedence. It waits only while the other wants to enter *and* has
   precedence. Whoever wrote `turn` last waits, so both cannot pass. */

bool want[2];
byte turn;          /* who goes first if both want */
byte inside;        /* ghost: how many are in the critical section */

active [2] proctype user()
{
    byte other = 1 - _pid;

    do
    :: want[_pid] = true;
       turn = other;
       (!want[other] || turn == _pid);

       inside++;
       assert(inside == 1);
       inside--;

       want[_pid] = false
    od
}
