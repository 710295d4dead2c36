/* expect: holds; states: 4; transitions: 3 */
/* A parameter with the name of a global variable: the argument is meant. */
byte x = 1, y = 2;
inline bump(x) { x = x + 10 }
active proctype P() { bump(y); assert(x == 1 && y == 12) }
