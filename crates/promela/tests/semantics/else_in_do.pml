/* expect: holds; states: 9; transitions: 8 */
/* else in a loop, leading out of it. */
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od }
