/* expect: holds; states: 5; transitions: 4 */
/* An array of one element. */
byte a[1]; byte r;
active proctype P() { a[0] = 5; r = a[0]; a[r - 5] = 6 }
