/* expect: holds; states: 21; transitions: 30 */
byte x; byte y;
active proctype P() { { x = 1; x = 2 } unless { goto out }; x = 3; out: y == 1; x = 4 }
active proctype Q() { y = 1 }
