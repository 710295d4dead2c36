/* expect: holds; states: 5; transitions: 4 */
/* One value fills an array; a list fills it in order; a list that is too
   short repeats its last value. */
byte a[3] = 2; int b[3] = { 1, 2, 3 }; short c[4] = { 1, 2 };
init { assert(a[0] == 2 && a[2] == 2); assert(b[2] == 3); assert(c[2] == 2 && c[3] == 2) }
