/* expect: holds; states: 6; transitions: 5 */
/* Elements of arrays of byte and short are cut each for itself. */
byte a[2]; short s[2];
active proctype P() { a[0] = 257; assert(a[0] == 1 && a[1] == 0); s[1] = 65535; assert(s[1] == -1 && s[0] == 0) }
