/* expect: accepted */
/* Why: "label again placed incorrectly". */
byte x; bool stop;
active proctype P() { { again: x = 1 - x; goto again } unless { stop -> x = 9 } }
