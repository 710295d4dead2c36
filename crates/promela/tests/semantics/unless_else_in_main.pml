/* expect: holds; states: 36; transitions: 49 */
/* An else in the main sequence under an escape. */
byte x; bool a, stop;
active proctype P() { { if :: a -> x = 1 :: else -> x = 2 fi; x = x + 1 } unless { stop -> x = 9 } }
active proctype Q() { a = true; stop = true }
