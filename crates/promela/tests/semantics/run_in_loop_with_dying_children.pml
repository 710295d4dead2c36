/* expect: holds; states: 17; transitions: 29 */
/* Processes come and go: the state space stays finite. */
byte n;
proctype C() { n++; n-- }
init { do :: _nr_pr < 3 -> run C() od }
