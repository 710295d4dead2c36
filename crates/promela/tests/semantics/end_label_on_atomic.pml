/* expect: holds; states: 2; transitions: 1 */
/* An end label on an atomic whose guard is false. */
byte x;
active proctype S() { x = 1; end: atomic { x == 2; x = 3 } }
