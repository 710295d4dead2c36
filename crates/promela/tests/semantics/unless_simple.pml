/* expect: holds; states: 22; transitions: 29 */
/* The escape is tried before every statement of the main sequence. */
byte x; bool stop;
active proctype P() { { x = 1; x = 2; x = 3 } unless { stop -> x = 9 } }
active proctype Q() { stop = true }
