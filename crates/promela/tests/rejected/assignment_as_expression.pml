/* expect: rejected */
/* Why: assignments have no value. */
byte x, y;
active proctype P() { x = (y = 1) }
