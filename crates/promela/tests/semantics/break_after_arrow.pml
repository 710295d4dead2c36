/* expect: holds; states: 5; transitions: 4 */
/* true -> break and skip; break: the statement is the transition, the break
   is folded. */
byte x;
active proctype P() { do :: true -> break od; do :: skip; break od; x = 1 }
