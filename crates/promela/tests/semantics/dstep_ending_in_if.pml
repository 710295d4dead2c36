/* expect: holds; states: 13; transitions: 17 */
/* The d_step ends with an if. */
byte x;
active proctype P() { d_step { x = 1; if :: x == 1 -> x = 5 :: else -> x = 6 fi }; x = 9 }
active proctype Q() { byte v; v = x }
