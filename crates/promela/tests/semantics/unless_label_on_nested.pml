/* expect: violated deadlock; states: 12; transitions: 12; errors: 1 */
byte x, y, z;
active proctype P() {
  L: { x == 1; x = 2 } unless { { y == 0; y = 1 } unless { z == 0; z = 1 }; x = 5 };
  if :: x == 5 -> x = 0; goto L :: else fi
}
