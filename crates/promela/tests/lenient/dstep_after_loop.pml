/* expect: accepted */
/* Why: the exit of a loop is a jump, here into the d_step behind it: "jump
   into d_step sequence". */
byte x;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> break od; d_step { x++; x++ } }
