/* expect: holds; states: 4; transitions: 3 */
/* An unless inside a d_step is ignored, with a message: only its main
   sequence is left. */
byte x; bool stop = true;
active proctype P() { d_step { skip; { x = 1; x = 2 } unless { stop -> x = 9 }; x = x + 1 }; assert(x == 3) }
