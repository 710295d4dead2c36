/* expect: holds; states: 7078; transitions: 13477 */
/* Lamport's bakery: take a number, wait for all smaller ones.

   Two customers may draw the same number, for drawing is not atomic; then the
   smaller pid goes first. Numbers grow without bound while the shop is never
   empty, so here the roll of paper ends at LAST, and who finds it at its end
   goes home. */

#define N    2
#define LAST 6

bool choosing[N];
byte number[N];     /* 0: not waiting */
byte inside;        /* ghost */

active [N] proctype customer()
{
    byte j, max;

    do
    :: choosing[_pid] = true;
       max = 0;
       for (j : 0 .. N - 1) {
           if
           :: number[j] > max -> max = number[j]
           :: else
           fi
       }
       if
       :: max == LAST -> choosing[_pid] = false; break
       :: else
       fi;
       number[_pid] = max + 1;
       choosing[_pid] = false;

       for (j : 0 .. N - 1) {
           !choosing[j];
           (number[j] == 0 || number[j] > number[_pid]
            || number[j] == number[_pid] && j >= _pid)
       }

       inside++;
       assert(inside == 1);
       inside--;

       number[_pid] = 0
    od
}
