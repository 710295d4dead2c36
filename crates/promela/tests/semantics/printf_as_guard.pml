/* expect: holds; states: 7; transitions: 6 */
/* printf at the head of an option is always executable. */
byte x;
active proctype P() { if :: printf("one\n") -> x = 1 :: x == 0 -> x = 2 fi }
