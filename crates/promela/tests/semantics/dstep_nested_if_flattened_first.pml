/* expect: holds; states: 3; transitions: 2 */
/* Nested choices inside a d_step: the first executable in textual order. */
byte x = 1;
active proctype P() { d_step { skip; if :: if :: x == 2 -> x = 5 :: x == 1 -> x = 6 fi :: x == 1 -> x = 7 fi } }
