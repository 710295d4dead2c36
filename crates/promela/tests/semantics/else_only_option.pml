/* expect: holds; states: 5; transitions: 4 */
/* A lone else is always executable. */
byte x;
active proctype P() { if :: else -> x = 1 fi; do :: else -> break od }
