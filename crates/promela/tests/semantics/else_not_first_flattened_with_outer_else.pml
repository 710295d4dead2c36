/* expect: holds; states: 9; transitions: 8 */
/* The inner choice has no else, the outer one has. */
byte x, y;
active proctype P() { do :: if :: x == 0 -> x = 1 :: x == 1 -> x = 2 fi :: y == 1 -> break :: else -> y = 1 od }
