/* expect: holds; states: 38; transitions: 54 */
byte x; byte y;
active proctype P() { byte i; x = 1; for (i : 0 .. 1) { x = 2 } unless { y == 1 } }
active proctype Q() { y = 1 }
