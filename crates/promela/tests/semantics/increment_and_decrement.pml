/* expect: holds; states: 8; transitions: 7 */
/* ++ and -- are statements, on any place a value can be stored. */
byte a[2]; byte i;
active proctype P() { i++; a[i]++; a[i]++; a[i - 1]--; i--; assert(a[1] == 2 && a[0] == 255 && i == 0) }
