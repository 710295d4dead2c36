/* expect: holds; states: 27; transitions: 34 */
/* A label on a loop is the place of its choice, in every round. */
byte x, seen;
active proctype P() { x = 1; there: do :: x < 3 -> x++ :: x == 3 -> break od; x = 9 }
active proctype Q() { if :: P@there && x == 2 -> seen = 1 :: x == 9 fi }
