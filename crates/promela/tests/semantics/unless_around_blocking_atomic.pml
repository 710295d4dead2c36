/* expect: holds; states: 33; transitions: 53 */
/* The atomic blocks in the middle; the escape gets a chance there. */
byte x; bool go, stop;
active proctype P() { { atomic { x = 1; go; x = 2; x = 3 } } unless { stop -> x = 9 } }
active proctype Q() { stop = true }
active proctype R() { go = true }
