/* expect: holds; states: 3; transitions: 2 */
/* A proctype nobody runs costs nothing. */
byte x;
proctype Unused() { x = 99; assert(false) }
active proctype P() { x = 1 }
