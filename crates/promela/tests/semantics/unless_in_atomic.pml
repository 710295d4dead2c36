/* expect: holds; states: 8; transitions: 9 */
/* An unless inside an atomic. */
byte x; bool stop;
active proctype P() { atomic { x = 1; { x = 2; x = 3 } unless { x == 2 -> x = 20 }; x = x + 1 } }
active proctype Q() { byte v; v = x }
