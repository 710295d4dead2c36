/* expect: holds; states: 24; transitions: 23 */
/* A for in a for. */
byte i, j, s;
active proctype P() { for (i : 0 .. 1) { for (j : 0 .. 1) { s++ } } }
