/* expect: holds; states: 5; transitions: 4 */
/* A plain goto is folded away, one with an end label is not: it is a state. */
byte x;
active proctype S() { x = 1; end: goto next; x = 2; next: x = 3 }
