/* expect: holds; states: 26; transitions: 38 */
/* run is an expression; its value is the new pid. */
byte a, b;
proctype C() { skip }
init { a = run C(); b = run C(); assert(a == 1 && b >= 1) }
