/* expect: holds; states: 3; transitions: 3 */
/* The same option twice is two transitions to the same state. */
byte x;
active proctype P() { if :: x = 1 :: x = 1 fi }
