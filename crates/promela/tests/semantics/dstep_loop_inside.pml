/* expect: holds; states: 8; transitions: 9 */
/* Loops inside a d_step run to their end in one step. */
byte x;
active proctype P() { byte i; d_step { i = 0; do :: i < 5 -> x = x + i; i++ :: i >= 5 -> break od; i = 0 } }
active proctype Q() { byte v; v = x }
