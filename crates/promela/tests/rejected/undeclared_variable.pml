/* expect: rejected */
/* Why: y is not declared. */
byte x;
active proctype P() { x = y }
