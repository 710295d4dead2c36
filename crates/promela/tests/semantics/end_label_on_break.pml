/* expect: violated deadlock; states: 3; transitions: 2; errors: 1 */
/* An end label on a break inside an option. */
byte x;
active proctype S() { do :: x = 1; end: break od; x == 2 }
