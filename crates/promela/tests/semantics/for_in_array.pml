/* expect: holds; states: 13; transitions: 12 */
/* for (i in a) runs over the indices of the array. */
byte a[3]; byte i;
active proctype P() { for (i in a) { a[i] = i + 1 } }
