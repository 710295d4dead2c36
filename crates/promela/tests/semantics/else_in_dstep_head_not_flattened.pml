/* expect: holds; states: 6; transitions: 5 */
/* A d_step is one transition: its else is its own affair. */
byte x = 1, y;
active proctype P() { if :: x == 1 -> y = 3 :: d_step { if :: x == 0 -> y = 1 :: else -> y = 2 fi; y = y + 10 } fi }
