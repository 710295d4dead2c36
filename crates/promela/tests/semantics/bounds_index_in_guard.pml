/* expect: violated bounds */
/* Reading beyond the end in a guard. */
byte a[2]; byte i = 2;
active proctype P() { if :: a[i] == 0 -> skip :: a[i] != 0 -> skip fi }
