/* expect: holds; states: 35; transitions: 34 */
/* break leaves one loop, the innermost. */
byte x, y, z;
active proctype P() { do :: x < 2 -> x++; y = 0; do :: y < 2 -> y++; z = 0; do :: z < 1 -> z++ :: else -> break od :: else -> break od :: else -> break od }
