/* expect: holds; states: 5; transitions: 4 */
/* proctypes may be declared after their use. */
byte x;
init { run Later(3) }
proctype Later(byte v) { x = v }
