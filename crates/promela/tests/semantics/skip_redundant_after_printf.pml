/* expect: holds; states: 20; transitions: 19 */
mtype = { A };
byte x;
active proctype P() { do :: x < 2 -> printf("x"); skip; true; x++; skip; L: skip; 1; A; skip :: else -> skip; skip; break od; skip; skip }
