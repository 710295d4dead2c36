/* expect: holds; states: 10; transitions: 10 */
/* A d_step that begins with an if with an else. */
byte x; bool go;
active proctype P() { d_step { if :: go -> x = 1 :: else -> x = 2 fi; x = x + 10 } }
active proctype Q() { go = true }
