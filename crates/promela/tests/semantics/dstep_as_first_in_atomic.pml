/* expect: holds; states: 15; transitions: 19 */
/* A d_step at the start of an atomic, its guard being the atomic's guard. */
byte x; bool go;
active proctype P() { atomic { d_step { go -> x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype Q() { byte v; v = x; go = 1; v = x }
