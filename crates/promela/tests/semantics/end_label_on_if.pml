/* expect: holds; states: 2; transitions: 1 */
/* An end label on an if holds for the choice. */
byte x;
active proctype S() { x = 1; end: if :: x == 2 -> x = 3 :: x == 4 fi }
