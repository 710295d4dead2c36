/* expect: violated deadlock; states: 3; transitions: 3; errors: 1 */
byte x, y, z;
active proctype P() {
  do
  :: { { x == 0 } unless { y == 0 }; x = 1 } unless { z == 0; z == 1 }
  od
}
