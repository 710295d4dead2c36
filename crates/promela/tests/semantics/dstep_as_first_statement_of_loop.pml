/* expect: violated deadlock; states: 3; transitions: 2; errors: 1 */
/* A d_step at the head of the only option: the loop comes back to it. */
byte x;
active proctype P() { do :: d_step { x < 3 -> x++; x++ } od }
