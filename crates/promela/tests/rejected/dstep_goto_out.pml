/* expect: rejected */
/* Why: jumps out of a d_step are not allowed. */
byte x;
active proctype P() { d_step { x = 1; x = 2; goto out }; x = 5; out: x = 9 }
