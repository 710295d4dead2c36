/* expect: holds; states: 4; transitions: 3 */
/* The other order: the option before excludes the else. */
byte x = 1, y;
active proctype P() { if :: x == 1 -> y = 3 :: atomic { if :: x == 0 -> y = 1 :: else -> y = 2 fi; y = y + 10 } fi }
