/* expect: holds; states: 5; transitions: 4 */
/* An if may lead straight into a d_step (a loop may not). */
byte x;
active proctype P() { if :: x == 0 -> x = 1 :: x == 1 fi; d_step { x++; x++ } }
