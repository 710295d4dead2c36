/* expect: holds; states: 8; transitions: 7 */
/* Identities count from 1 in order of creation, and can be printed into a
   byte through assignment. */
chan a = [1] of { byte }; chan b = [1] of { byte };
byte r;
active proctype P() { chan c = [1] of { byte }; r = a; assert(r == 1); r = b; assert(r == 2); r = c; assert(r == 3) }
