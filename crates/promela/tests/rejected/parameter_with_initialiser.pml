/* expect: rejected */
/* Why: no initialisers in parameter lists. */
byte x;
active proctype P(byte p = 3) { x = p }
