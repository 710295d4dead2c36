/* expect: holds; states: 2; transitions: 1 */
/* An end label in the middle of an atomic that blocks there. */
bool no; byte x;
active proctype S() { atomic { x = 1; end: no; x = 2 } }
