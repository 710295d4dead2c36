/* expect: holds; states: 35; transitions: 47 */
/* An unless inside an escape sequence. */
byte x; bool a, b;
active proctype P() { { x = 1; x = 2 } unless { a -> { x = 3; x = 4 } unless { b -> x = 5 } } }
active proctype Q() { a = true; b = true }
