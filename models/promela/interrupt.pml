/* expect: holds; states: 589; transitions: 1062 */
/* Interrupts with `unless`: a computation that can be abandoned at any step.

   The worker adds numbers; a button press throws away what it has and starts
   over. Inside the d_step it cannot be disturbed: total and count always fit
   together. After ENOUGH interruptions the button is disconnected. */

#define ENOUGH 3
#define GOAL   4

chan button = [1] of { bit };
byte total, count, pressed;

active proctype worker()
{
    do
    :: {
           do
           :: count < GOAL ->
              d_step { count++; total = total + count }
           :: count == GOAL -> break
           od;
           assert(total == GOAL * (GOAL + 1) / 2);
           goto finished
       } unless {
           button?_ ->
           assert(total == count * (count + 1) / 2);
           d_step { total = 0; count = 0 }
       }
    od;
finished:
    skip
}

active proctype finger()
{
    do
    :: pressed < ENOUGH ->
       pressed++;
end:   button!1                     /* perhaps nobody listens any more */
    :: break
    od
}
