/* expect: holds; states: 10; transitions: 9 */
/* ?[] asks whether a receive would succeed, without side effects. */
chan c = [2] of { byte, byte };
byte r, v;
active proctype P() { assert(!(c?[1,v])); c!1,5; assert(c?[1,v]); assert(!(c?[2,v])); assert(v == 0); c!2,6; assert(!(c?[2,v])); r = (c?[1,5]) + 1 }
