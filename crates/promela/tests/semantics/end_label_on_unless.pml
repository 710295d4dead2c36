/* expect: holds; states: 2; transitions: 1 */
/* An end label on an unless. */
byte x; bool stop;
active proctype S() { x = 1; end: { x == 2; x = 3 } unless { stop } }
