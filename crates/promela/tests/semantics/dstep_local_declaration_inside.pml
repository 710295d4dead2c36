/* expect: holds; states: 13; transitions: 12 */
/* A declaration inside a d_step resets the variable, invisibly. */
byte x;
active proctype P() { byte n; do :: n < 3 -> n++; d_step { byte t; t++; x = x + t } :: n == 3 -> break od; assert(x == 3) }
