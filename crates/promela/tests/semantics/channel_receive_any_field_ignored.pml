/* expect: holds; states: 8; transitions: 7 */
/* _ in a receive matches anything and stores nothing. */
chan c = [2] of { byte, byte, byte };
byte r;
active proctype P() { c!1,2,3; c!4,5,6; c?_,r,_; assert(r == 2); c?4,_,r; assert(r == 6) }
