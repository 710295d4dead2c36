/* expect: rejected */
/* Why: an option needs a statement. */
byte x;
active proctype P() { if :: :: x = 1 fi }
