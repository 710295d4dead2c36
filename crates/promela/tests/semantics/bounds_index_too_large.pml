/* expect: violated bounds */
/* An index at the length of the array. */
byte a[3]; byte i = 3;
active proctype P() { a[i] = 1 }
