/* expect: holds; states: 6; transitions: 5 */
/* Parameters: separated by ; and sharing a type by , */
byte r;
proctype C(byte a, b; short c; bool d) { r = a + b + c + d; assert(r == 11) }
init { run C(1, 2, 7, 1) }
