/* expect: holds; states: 13; transitions: 17 */
/* The d_step ends with the break of a loop. */
byte x;
active proctype P() { d_step { x = 1; do :: x < 5 -> x++ :: else -> break od }; x = 9 }
active proctype Q() { byte v; v = x }
