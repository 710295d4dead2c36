/* expect: holds; states: 19; transitions: 20 */
/* run with a priority: the child overtakes its parent. */
byte x;
proctype C(byte v) { x = v; x = v + 1 }
init { run C(10) priority 3; x = 1; run C(20); x = 2 }
