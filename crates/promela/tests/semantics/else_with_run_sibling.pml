/* expect: holds; states: 11; transitions: 11 */
/* A run is executable, so the else is not. */
byte x;
proctype C() { x = 1 }
init { if :: run C() -> x = 2 :: else -> x = 3 fi }
