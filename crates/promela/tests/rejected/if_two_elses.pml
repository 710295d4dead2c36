/* expect: rejected */
/* Why: one else per choice. */
byte x;
active proctype P() { if :: x == 1 -> x = 2 :: else -> x = 3 :: else -> x = 4 fi }
