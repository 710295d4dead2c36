/* expect: holds; states: 7; transitions: 6 */
/* An outer variable may be declared after an inner block used its name. */
byte r;
active proctype P() { { byte y = 4; r = y }; byte y = 3; r = r + y; assert(r == 7) }
