/* expect: holds; states: 9; transitions: 8 */
/* ??[] looks at every message in the channel. */
chan c = [2] of { byte, byte };
byte v;
active proctype P() { assert(!(c??[2,v])); c!1,5; assert(!(c??[2,v])); c!2,6; assert(c??[2,v]); assert(c??[eval(v + 2),6]); assert(!(c??[2,5])) }
