/* expect: holds; states: 6; transitions: 5 */
/* The same for locals at the start of a body; the value may be a parameter. */
proctype C(byte p) { byte q[2] = p; int l[3] = { 4, 5 }; assert(q[0] == 3 && q[1] == 3); assert(l[1] == 5 && l[2] == 5) }
init { run C(3) }
