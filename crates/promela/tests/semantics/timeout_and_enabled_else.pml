/* expect: holds; states: 7; transitions: 6 */
/* An else that is executable prevents a timeout. */
byte x;
active proctype P() { timeout -> x = 9 }
active proctype Q() { if :: x == 1 -> skip :: else -> x = 2 fi }
