/* expect: holds; states: 9; transitions: 8 */
/* A global channel variable that is assigned a local channel. */
chan x; byte r;
active proctype P() { chan c = [1] of { byte }; c!5; x = c; x?r; assert(r == 5); x!6; c?r; assert(r == 6) }
