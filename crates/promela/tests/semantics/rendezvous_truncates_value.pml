/* expect: holds; states: 7; transitions: 6 */
/* The same on a handshake. */
chan c = [0] of { byte }; chan d = [0] of { bit, byte };
int r, s;
active proctype P() { c!300; d!2,256 }
active proctype Q() { c?r; assert(r == 44); d?r,s; assert(r == 0 && s == 0) }
