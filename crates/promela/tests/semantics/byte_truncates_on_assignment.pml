/* expect: holds; states: 10; transitions: 9 */
/* byte: modulo 256. */
byte x = 255;
active proctype P() { x++; assert(x == 0); x--; assert(x == 255); x = 300; assert(x == 44); x = -1; assert(x == 255) }
