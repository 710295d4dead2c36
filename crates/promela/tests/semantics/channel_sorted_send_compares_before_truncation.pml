/* expect: holds; states: 11; transitions: 10 */
/* 300 is compared as 300, and stored as 44. */
chan c = [3] of { byte };
byte r;
active proctype P() { c!!100; c!!300; c!!60; c?r; assert(r == 60); c?r; assert(r == 100); c?r; assert(r == 44) }
