/* expect: violated abort */
/* A division by zero kills pan. */
byte d; byte r;
active proctype P() { r = 10 / d }
