/* expect: holds; states: 13; transitions: 15 */
/* The guard of the d_step is the guard of the escape. */
byte x; bool a;
active proctype P() { { x = 1; x = 2 } unless { d_step { a -> x = 20; x = 21 } } }
active proctype Q() { a = true }
