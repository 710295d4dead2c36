/* expect: holds; states: 3; transitions: 2 */
/* Global initialisers are evaluated in order. */
byte a = 4; byte b = a + 1; byte c = b * 2;
init { assert(b == 5 && c == 10) }
