/* expect: holds; states: 10; transitions: 11 */
/* The first statement is the guard of the whole d_step. */
byte x; bool go;
active proctype P() { d_step { go -> x = 1; x = 2 } }
active proctype Q() { byte v; v = x; go = true; v = x }
