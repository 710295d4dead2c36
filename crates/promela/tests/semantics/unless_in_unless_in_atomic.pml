/* expect: holds; states: 46; transitions: 76 */
/* Three levels, with an atomic in between. */
byte x; bool a, b;
active proctype P() { { atomic { x = 1; { x = 2; a; x = 3 } unless { b -> x = 4; x = 5 } }; x = 6 } unless { a && b -> x = 7 } }
active proctype Q() { a = true }
active proctype R() { b = true }
