/* expect: violated deadlock; states: 7; transitions: 8; errors: 1 */
/* One process is stuck, the others are at their ends. */
bool no;
active proctype P() { no }
active proctype Q() { skip }
active proctype R() { skip }
