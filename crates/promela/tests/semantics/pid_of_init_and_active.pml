/* expect: holds; states: 7; transitions: 8 */
/* The first is pid 0, whether init or active comes first in the text. */
byte r;
init { r = r + 1 + _pid }
active proctype P() { r = r + 10 * (1 + _pid) }
