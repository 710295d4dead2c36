/* expect: violated deadlock; states: 15; transitions: 22; errors: 1 */
byte x, y;
active proctype P() { L: atomic { x = 2; x = 3; x = 4 } unless atomic { y == 1; y = 2 }; if :: x == 4 -> goto L :: x == 5 fi }
active proctype Q() { y = 1 }
