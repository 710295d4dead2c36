/* expect: holds; states: 14; transitions: 13 */
/* !! inserts before the first message that is larger. */
chan c = [4] of { byte };
byte r;
active proctype P() { c!!3; c!!1; c!!2; c!!1; c?r; assert(r == 1); c?r; assert(r == 1); c?r; assert(r == 2); c?r; assert(r == 3) }
