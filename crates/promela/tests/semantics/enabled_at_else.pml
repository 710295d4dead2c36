/* expect: holds; states: 13; transitions: 15 */
/* enabled of a process at an if with an else. */
byte e = 9, x;
active proctype P() { if :: x == 1 -> x = 2 :: else -> x = 3 fi }
active proctype Q() { e = enabled(0) }
