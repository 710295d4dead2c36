/* expect: holds; states: 8; transitions: 10 */
/* d_steps as options of a loop. */
byte x;
active proctype P() { do :: d_step { x < 4 -> x++; x++ } :: d_step { x >= 2 -> x--; x = x / 2 } :: x == 4 -> break od }
