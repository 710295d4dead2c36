/* expect: holds; states: 8; transitions: 7 */
/* The same name in two blocks is two variables; both stay in the state. */
byte r;
active proctype P() { { byte y = 3; r = y }; { byte y; r = r + y }; byte y = 7; r = y }
