/* expect: violated assertion; states: 7; transitions: 6; errors: 1 */
/* An assertion is always executable, also as the head of an option. */
byte x;
active proctype P() { if :: assert(x == 1) -> x = 5 :: x == 0 -> x = 6 fi }
