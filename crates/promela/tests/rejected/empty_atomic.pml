/* expect: rejected */
/* Why: an atomic needs a statement. */
byte x;
active proctype P() { x = 1; atomic { } }
