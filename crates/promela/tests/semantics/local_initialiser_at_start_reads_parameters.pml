/* expect: holds; states: 14; transitions: 15 */
/* Initialisers may read parameters, earlier locals, globals and _pid. */
byte x = 4;
proctype C(byte p) { byte q = p + 1; byte r = q + x; byte s = _pid; assert(q == 3 && s == 1); x = r }
init { x = 6; run C(2); x = 7 }
