/* expect: holds; states: 9; transitions: 9 */
/* Out of scope a variable keeps its value in the state vector: the two ways
   through the block stay two states. */
byte r;
active proctype P() { { byte y; if :: y = 1 :: y = 2 fi }; r = 1; r = 2 }
