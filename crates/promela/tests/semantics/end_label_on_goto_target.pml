/* expect: violated deadlock; states: 3; transitions: 2; errors: 1 */
/* A goto with an end label is a place of its own, where one may stop; but it
   is always executable, and the place behind it is not marked. */
bool no; byte x;
active proctype S() { x = 1; end: goto next; x = 2; next: no }
