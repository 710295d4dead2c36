/* expect: holds; states: 12; transitions: 13 */
/* The skip is a step, and can be escaped from. */
byte x; bool stop;
active proctype P() { { skip } unless { stop -> x = 9 } }
active proctype Q() { stop = true }
