/* expect: holds; states: 8; transitions: 7 */
/* short: 16 bits with a sign. */
short s = 32767;
active proctype P() { s++; assert(s == -32768); s = 65537; assert(s == 1); s = -40000; assert(s == 25536) }
