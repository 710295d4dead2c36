/* expect: holds; states: 6; transitions: 5 */
/* A timeout as the guard of an atomic. */
byte x;
active proctype P() { atomic { timeout; x = 2; x = 3 } }
active proctype Q() { byte v; v = x; v = 9 }
