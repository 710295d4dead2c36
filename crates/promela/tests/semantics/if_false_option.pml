/* expect: holds; states: 3; transitions: 2 */
/* An option that is constantly false is never taken. */
byte x;
active proctype P() { if :: false -> x = 1 :: x = 2 :: 0 fi }
