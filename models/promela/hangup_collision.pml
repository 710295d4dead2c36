/* expect: violated deadlock; states: 19; transitions: 32; errors: 1 */
/* A little telephone protocol that gets stuck: an invalid end state.

   Either side may hang up: it sends `bye` and waits for the confirmation.
   That works, unless both hang up at the same time: then each finds a `bye`
   where it expected a confirmation, and both wait for ever. */

mtype = { talk, bye, confirm };

chan line[2] = [1] of { mtype };

active [2] proctype phone()
{
    byte peer = 1 - _pid;

    do
    :: line[peer]!talk
    :: line[_pid]?talk
    :: line[_pid]?bye -> line[peer]!confirm; break
    :: line[peer]!bye ->
       do
       :: line[_pid]?talk               /* said before he heard my bye */
       :: line[_pid]?confirm -> break
       od;
       break
    od
}
