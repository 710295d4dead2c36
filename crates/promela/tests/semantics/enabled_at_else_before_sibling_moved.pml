/* expect: holds; states: 20; transitions: 28 */
/* The other order: now enabled(0) is true from the start. */
byte x, e;
active proctype P() { if :: x == 1 -> x = 2 :: else -> x = 3 fi }
active proctype Q() { if :: enabled(0) -> e = 2 :: e = 1 fi }
