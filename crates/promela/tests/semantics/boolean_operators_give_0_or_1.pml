/* expect: holds; states: 12; transitions: 11 */
/* && || ! and comparisons give 0 or 1; any other value is true as well. */
byte r;
active proctype P() { r = (5 && 7); assert(r == 1); r = (5 > 3) + (2 > 1); assert(r == 2); r = !7; assert(r == 0); if :: 5 -> r = 1 fi; if :: -1 -> r = 2 fi }
