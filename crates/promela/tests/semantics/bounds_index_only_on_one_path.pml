/* expect: violated bounds */
/* One of two paths goes wrong. */
byte a[2]; byte i;
active proctype P() { if :: i = 1 :: i = 2 fi; a[i] = 1 }
