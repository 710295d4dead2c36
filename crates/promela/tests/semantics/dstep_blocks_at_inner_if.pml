/* expect: violated atomicity */
/* No option of an inner if is executable: also an error. */
byte x;
active proctype P() { d_step { x = 1; if :: x == 2 -> x = 5 :: x == 3 -> x = 6 fi; x = 9 } }
