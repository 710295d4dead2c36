/* expect: holds; states: 5; transitions: 4 */
/* printf and printm are steps without effect. */
mtype = { hello };
byte x = 3;
active proctype P() { printf("x is %d and %e\n", x, hello); printm(hello); printf("no arguments\n") }
