/* expect: violated bounds */
/* A negative index, when reading. */
byte a[3]; int i = -1; byte r;
active proctype P() { r = a[i] }
