/* expect: holds; states: 7; transitions: 6 */
/* ??< is a random peek, whatever old C preprocessors thought. */
chan c = [2] of { byte };
byte r;
active proctype P() { c!1; c!2; c??<2>; c??<r>; assert(r == 1 && len(c) == 2) }
