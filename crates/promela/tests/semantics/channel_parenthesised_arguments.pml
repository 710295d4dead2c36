/* expect: holds; states: 7; transitions: 6 */
/* c!(v), c?(v), c!v(w), c?v(w). */
chan c = [1] of { byte }; chan d = [1] of { byte, byte };
byte r, s;
active proctype P() { c!(1 + 2); c?(r); d!3(4); d?r(s); assert(r == 3 && s == 4) }
