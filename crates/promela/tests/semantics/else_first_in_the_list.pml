/* expect: holds; states: 25; transitions: 31 */
/* The place of the else among the options does not matter. */
byte x, y;
active proctype P() { if :: else -> y = 3 :: x == 1 -> y = 1 :: x == 2 -> y = 2 fi }
active proctype Q() { x = 1; x = 2 }
