/* expect: holds; states: 8; transitions: 8 */
/* A call inside an option, with a choice inside the inline. */
byte x;
inline step(n) { if :: x < n -> x++ :: else -> x = 0 fi }
active proctype P() { do :: step(2) :: x == 2 -> break od }
