/* expect: violated deadlock; states: 16; transitions: 19; errors: 1 */
/* The clause becomes false in the middle of an atomic: the process blocks
   there, and a state is stored. */
byte x; bool on = true;
active proctype P() provided (on) { atomic { x = 1; on = false; x = 2; x = 3 } }
active proctype Q() { byte v; v = x; on = true }
