/* expect: violated assertion; states: 360; transitions: 984; errors: 84 */
/* A lock that looks first and takes later: between the look and the deed
   somebody else gets in. The assertion finds both inside. */

#define N 3

bool taken;
byte inside;        /* ghost */

active [N] proctype thread()
{
    do
    :: !taken;              /* the bug: this and the next belong together */
       taken = true;

       inside++;
       assert(inside == 1);
       inside--;

       taken = false
    od
}
