/* expect: holds; states: 15; transitions: 17 */
/* enabled(p): whether process p could move now. */
byte x; bool go, e;
active proctype P() { go; x = 1 }
active proctype Q() { e = enabled(0); go = true; e = enabled(0) }
