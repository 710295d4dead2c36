/* expect: holds; states: 7; transitions: 6 */
/* A call as the head of an option: its first statement is the guard. */
byte x;
inline take(n) { x == n -> x = n + 1 }
active proctype P() { do :: take(0) :: take(1) :: x == 2 -> break od }
