/* expect: accepted */
/* Why: y is not known before the end of its declaration list. */
byte x, y = 3, z = y;
active proctype P() { x = z }
