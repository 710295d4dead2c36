/* expect: holds; states: 10; transitions: 14 */
/* Locals are part of the state until the process is dead, not just ended. */
active proctype P() { byte v; if :: v = 1 :: v = 2 fi }
active proctype Q() { skip }
