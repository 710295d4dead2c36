/* expect: holds; states: 6; transitions: 5 */
/* An argument is text, too: 1 + 2 * 2, not (1 + 2) * 2. */
byte r;
inline double(e) { r = e * 2 }
active proctype P() { double(1 + 2); assert(r == 5); double((1 + 2)); assert(r == 6) }
