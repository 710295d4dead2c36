/* expect: rejected */
/* Why: jumps into a d_step are not allowed. */
byte x;
active proctype P() { goto in; d_step { x = 1; in: x = 2 } }
