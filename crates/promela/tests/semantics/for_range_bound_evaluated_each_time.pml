/* expect: holds; states: 10; transitions: 9 */
/* The upper bound is evaluated in every round. */
byte i, n = 3;
active proctype P() { for (i : 1 .. n) { n = n - 1 } }
