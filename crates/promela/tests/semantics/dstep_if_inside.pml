/* expect: holds; states: 10; transitions: 10 */
/* Choices by guards inside a d_step. */
byte x; bool b;
active proctype P() { d_step { x = 1; if :: b -> x = 2 :: else -> x = 3 fi; x = x + 10 } }
active proctype Q() { b = true }
