/* expect: holds; states: 9; transitions: 8 */
/* A parent waits in an atomic for its child to die. */
byte x;
proctype C() { x++ }
init { atomic { run C(); _nr_pr == 1; x = 10; run C(); _nr_pr == 1; x = 20 } }
