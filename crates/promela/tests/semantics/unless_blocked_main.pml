/* expect: holds; states: 8; transitions: 9 */
/* A blocked main sequence may be escaped from. */
byte x; bool no, stop;
active proctype P() { { no; x = 1 } unless { stop; x = 2 } }
active proctype Q() { stop = true }
