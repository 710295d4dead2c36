/* expect: holds; states: 8; transitions: 7 */
/* ?<> reads without removing. */
chan c = [2] of { byte };
byte r, s;
active proctype P() { c!7; c?<r>; c?<s>; assert(r == 7 && s == 7 && len(c) == 1); c?r; assert(len(c) == 0) }
