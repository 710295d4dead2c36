/* expect: holds; states: 9; transitions: 8 */
/* ??<> reads the first match and leaves it where it is. */
chan c = [3] of { byte, byte };
byte r;
active proctype P() { c!1,10; c!2,20; c!2,21; c??<2,r>; assert(r == 20 && len(c) == 3); c?1,r; assert(r == 10) }
