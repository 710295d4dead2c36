/* expect: holds; states: 17; transitions: 25 */
/* Global channels first, then those of processes in order of their start. */
chan g = [1] of { byte };
byte r, s, t;
active proctype P() { chan a = [1] of { byte }; chan b = [1] of { byte }; r = a; s = b; assert(r == 2 && s == 3) }
active proctype Q() { chan a = [1] of { byte }; t = a; assert(t == 4) }
