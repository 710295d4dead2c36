/* expect: holds; states: 7; transitions: 6 */
/* Arithmetic is done in ints; truncation is at the assignment only. */
byte x = 255; byte y;
active proctype P() { assert(x + 1 == 256); assert(-x == -255); y = (x + 1) / 2; assert(y == 128); assert(~0 == -1) }
