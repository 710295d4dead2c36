/* expect: holds; states: 4; transitions: 3 */
/* The right side of && protects from a division by zero. */
byte d; byte r;
active proctype P() { if :: d != 0 && 10 / d > 2 -> r = 1 :: else -> r = 2 fi }
