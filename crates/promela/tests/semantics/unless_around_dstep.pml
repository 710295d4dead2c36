/* expect: holds; states: 17; transitions: 21 */
/* A d_step as the main sequence is escaped from before it, never inside. */
byte x; bool stop;
active proctype P() { { d_step { x = 1; x = 2; x = 3 }; x = 4 } unless { x == 2 || stop -> x = 9 } }
active proctype Q() { stop = true }
