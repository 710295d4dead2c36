/* expect: violated deadlock; states: 4; transitions: 4; errors: 1 */
byte x, y, z;
active proctype P() { x = 1; { { { x == 1 } unless { y == 0 }; x = 2 } unless { z == 0; z == 1 }; x = 3 }; x = 4 }
