/* expect: holds; states: 9; transitions: 10 */
/* A conditional expression as a guard blocks where its value is 0. */
byte x;
active proctype P() { (x > 0 -> x == 2 : x == 1); x = 9 }
active proctype Q() { x = 1; x = 2 }
