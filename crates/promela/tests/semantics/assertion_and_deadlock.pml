/* expect: violated assertion+deadlock; states: 7; transitions: 6; errors: 2 */
/* Both kinds of error in one model. */
byte x;
active proctype P() { if :: x = 1 :: x = 2 fi; assert(x == 1); x == 1 }
