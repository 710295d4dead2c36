/* expect: holds; states: 25; transitions: 31 */
/* An outer else beside an option that begins with an if. */
byte x, y;
active proctype P() { if :: if :: x == 1 -> y = 1 :: x == 2 -> y = 2 fi :: else -> y = 3 fi }
active proctype Q() { x = 1; x = 2 }
