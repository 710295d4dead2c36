/* expect: holds; states: 6; transitions: 7 */
/* Flattened heads with the same guard: each is a transition. */
byte x;
active proctype P() { if :: if :: x == 0 -> x = 1 :: x == 0 -> x = 1 fi :: x == 0 -> x = 1 fi }
