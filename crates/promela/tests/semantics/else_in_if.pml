/* expect: holds; states: 25; transitions: 31 */
/* else is executable when no other option is. */
byte x, y;
active proctype P() { if :: x == 1 -> y = 1 :: x == 2 -> y = 2 :: else -> y = 3 fi }
active proctype Q() { x = 1; x = 2 }
