/* expect: holds; states: 9; transitions: 8 */
/* A loop may not lead straight into a d_step; a skip in between will do. */
byte x;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> break od; skip; d_step { x++; x++ } }
