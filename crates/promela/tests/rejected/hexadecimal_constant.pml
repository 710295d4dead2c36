/* expect: rejected */
/* Why: numbers are decimal: 0x1f is read as 0 and a name. */
byte x;
active proctype P() { x = 0x1f }
