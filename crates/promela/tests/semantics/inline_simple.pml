/* expect: holds; states: 6; transitions: 5 */
/* An inline is text: parameters are replaced, statements are steps. */
byte x;
inline add(v, n) { v = v + n; v = v + n }
active proctype P() { add(x, 2); add(x, x) }
