/* expect: holds; states: 5; transitions: 4 */
/* else by itself is a step, like skip; so is an else without a body. */
byte x;
active proctype P() { if :: x > 0 :: else fi; if :: x > 0 :: else -> skip fi }
