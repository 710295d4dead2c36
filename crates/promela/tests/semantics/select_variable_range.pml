/* expect: holds; states: 15; transitions: 14 */
/* select with a variable bound: a loop that counts up. */
byte i, n = 3;
active proctype P() { select (i : 1 .. n); assert(i >= 1 && i <= 3) }
