/* expect: rejected */
/* Why: nothing to break out of. */
byte x;
active proctype P() { x = 1; break }
