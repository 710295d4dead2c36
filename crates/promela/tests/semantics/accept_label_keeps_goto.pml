/* expect: holds; states: 5; transitions: 4 */
/* Likewise for accept labels, … */
byte x;
active proctype S() { x = 1; accept: goto next; x = 2; next: x = 3 }
