/* expect: holds; states: 15; transitions: 19 */
/* A process blocked in its atomic at a choice with a timeout. */
byte x; bool go;
active proctype P() { atomic { x = 1; if :: go -> x = 2 :: timeout -> x = 3 fi; x = x + 10 } }
active proctype Q() { if :: go = true :: skip fi }
