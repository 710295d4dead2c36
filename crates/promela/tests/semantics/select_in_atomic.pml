/* expect: holds; states: 7; transitions: 6 */
/* select inside an atomic. */
byte i, j;
active proctype P() { atomic { select (i : 0 .. 2); j = i } }
