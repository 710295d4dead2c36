/* expect: rejected */
/* Why: a brace is missing. */
byte x;
active proctype P() { x = 1
