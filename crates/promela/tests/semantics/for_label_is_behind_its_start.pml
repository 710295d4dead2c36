/* expect: holds; states: 8; transitions: 8 */
active proctype P() {
  byte i;
  again: for (i : 0 .. 1) { skip }
  goto again
}
