/* expect: holds; states: 2; transitions: 1 */
/* 255 processes, init included, are fine. */
byte n;
proctype C() { end: false }
init { atomic { do :: n < 254 -> run C(); n++ :: else -> break od } }
