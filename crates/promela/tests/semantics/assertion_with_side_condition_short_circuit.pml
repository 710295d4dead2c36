/* expect: holds; states: 6; transitions: 5 */
/* && and || do not evaluate their right side in vain: no index error. */
byte a[3]; byte i = 3; byte r;
active proctype P() { assert(!(i < 3 && a[i] == 1)); assert(i >= 3 || a[i] == 0); r = (i < 3 -> a[i] : 7); assert(r == 7) }
