/* expect: holds; states: 258; transitions: 258 */
/* A counter through all values of a byte. */
byte x;
active proctype P() { do :: x++ :: x == 255 -> break od }
