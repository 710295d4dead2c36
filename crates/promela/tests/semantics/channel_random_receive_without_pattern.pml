/* expect: holds; states: 9; transitions: 8 */
/* ?? with variables only takes the head. */
chan c = [3] of { byte };
byte r;
active proctype P() { c!3; c!1; c!2; c??r; assert(r == 3); c??r; assert(r == 1) }
