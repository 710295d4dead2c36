/* expect: holds; states: 16; transitions: 20 */
/* Locals of different proctypes are separate. */
byte r;
active proctype P() { byte y = 1; y++; r = y }
active proctype Q() { byte y = 5; y++; r = y }
