/* expect: holds; states: 13; transitions: 18 */
/* The parameters of an active process are 0. */
byte r;
active [2] proctype P(byte a; bool b) { assert(a == 0 && !b); r = r + a + 1 }
