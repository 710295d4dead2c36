/* expect: holds; states: 6; transitions: 5 */
/* Channels can be compared: by identity. */
chan c = [1] of { byte }; chan d = [1] of { byte };
active proctype P() { chan t = c; assert(t == c); assert(c != d); t = d; assert(t == d) }
