/* expect: holds; states: 10; transitions: 10 */
/* else inside an atomic. */
byte x;
active proctype P() { atomic { x++; if :: x > 1 -> x = 7 :: else -> x = 8 fi; x++ } }
active proctype Q() { x++ }
