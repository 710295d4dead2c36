/* expect: holds; states: 4; transitions: 3 */
/* 010 is ten. */
byte x;
active proctype P() { x = 010; assert(x == 10) }
