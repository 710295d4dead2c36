/* expect: violated deadlock; states: 2; transitions: 1; errors: 1 */
/* An if none of whose options is ever executable blocks: a deadlock. */
byte x;
active proctype P() { x = 1; if :: x == 2 -> x = 3 :: x == 4 fi }
