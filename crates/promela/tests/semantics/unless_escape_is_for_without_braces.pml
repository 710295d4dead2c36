/* expect: holds; states: 35; transitions: 54 */
byte x; byte y;
active proctype P() { byte i; x = 1; { x = 2; x = 3 } unless for (i : 0 .. 1) { x = 4 } }
active proctype Q() { y = 1 }
