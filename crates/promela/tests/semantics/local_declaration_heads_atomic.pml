/* expect: holds; states: 9; transitions: 11 */
/* The atomic begins with the declaration, so it can start and block after it. */
byte x; bool g;
active proctype P() { atomic { byte a; g; x = 1 } }
active proctype Q() { g = 1 }
