/* expect: accepted */
/* Why: the same for an inner block and a local. */
byte r;
active proctype P() { byte y = 3; { byte y = 4; r = y } }
