/* expect: holds; states: 12; transitions: 15 */
/* An expression is a statement that waits. */
byte x;
active proctype P() { x; x > 1; x = 9 }
active proctype Q() { x = 1; x = 2 }
