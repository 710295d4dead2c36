/* expect: holds; states: 12; transitions: 11 */
/* The order is numerical, by the first field, then by the next. */
chan c = [4] of { byte, byte };
byte r;
active proctype P() { c!!2,1; c!!1,9; c!!2,0; c!!1,3; byte a; do :: c?a,r :: empty(c) -> break od }
