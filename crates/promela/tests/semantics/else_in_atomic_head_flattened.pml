/* expect: holds; states: 6; transitions: 5 */
/* The heads of an atomic that begins with an if are flattened, too: the else
   looks at the options before it, not at those after. */
byte x = 1, y;
active proctype P() { if :: atomic { if :: x == 0 -> y = 1 :: else -> y = 2 fi; y = y + 10 } :: x == 1 -> y = 3 fi }
