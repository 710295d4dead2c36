/* expect: holds; states: 11; transitions: 14 */
/* Parameters are values: later changes of the argument do not matter. */
byte g = 1;
proctype C(byte v; byte w) { assert(v == 1 && w == 3) }
init { byte l = 3; run C(g, l); g = 2; l = 4 }
