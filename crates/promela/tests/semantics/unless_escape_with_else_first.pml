/* expect: holds; states: 15; transitions: 20 */
/* The same with the else in front: its place does not matter. */
byte x; bool a;
active proctype P() { { x = 1; x = 2 } unless { if :: else -> x = 30 :: a -> x = 20 fi } }
active proctype Q() { a = true }
