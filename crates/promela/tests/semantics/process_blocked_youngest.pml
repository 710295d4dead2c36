/* expect: violated deadlock; states: 2; transitions: 1; errors: 1 */
/* One process is at its end, but may not die before the younger one, which is
   stuck: an invalid end state. */
bool no;
active proctype P() { skip }
active proctype Q() { no }
