/* expect: holds; states: 25; transitions: 30 */
/* run as a guard: its value is the pid, which is not 0. */
byte x;
proctype C(byte v) { x = v }
init { if :: run C(3) -> x = 1 fi; (run C(4)) }
