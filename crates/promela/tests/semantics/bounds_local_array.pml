/* expect: violated bounds */
/* The same for a local array. */
active proctype P() { byte a[2]; byte i = 1; do :: i < 4 -> a[i] = 1; i++ :: else -> break od }
