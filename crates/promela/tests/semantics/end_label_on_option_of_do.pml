/* expect: holds; states: 3; transitions: 2 */
/* The label is inside the option, after its guard. */
bool no; byte x;
active proctype S() { do :: x == 0 -> x = 1; end: no od }
