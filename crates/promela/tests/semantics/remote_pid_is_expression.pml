/* expect: holds; states: 390; transitions: 719 */
/* The pid in a remote reference may be computed. */
byte seen;
active [2] proctype P() { byte v = 3; v = v + _pid; here: v = v * 2 }
active proctype Q() { byte i; for (i : 0 .. 1) { seen = seen + P[i]:v; if :: P[i]@here -> seen = seen + 100 :: else fi } }
