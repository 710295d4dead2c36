/* expect: holds; states: 7; transitions: 6 */
/* An array element as an argument is text: the index is evaluated each time. */
byte a[3]; byte i;
inline set(t) { i++; t = i; i++; t = i }
active proctype P() { set(a[i]); assert(a[0] == 0 && a[1] == 1 && a[2] == 2) }
