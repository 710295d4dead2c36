/* expect: holds; states: 13; transitions: 14 */
/* A d_step is one transition, like an atomic without choice. */
byte x, y;
active proctype P() { d_step { x = 1; x = 2; x = 3 } }
active proctype Q() { byte v; v = x; y = v }
