/* expect: holds; states: 11; transitions: 10 */
/* … and once more to the type of the variable when it is received. */
chan c = [1] of { int };
byte b; bit t; short s;
active proctype P() { c!300; c?b; assert(b == 44); c!2; c?t; assert(t == 0); c!65537; c?s; assert(s == 1) }
