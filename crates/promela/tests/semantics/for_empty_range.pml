/* expect: holds; states: 4; transitions: 3 */
/* An empty range: the assignment and the else. */
byte i, s, from = 3, to = 1;
active proctype P() { for (i : from .. to) { s = s + i } }
