/* expect: holds; states: 7; transitions: 6 */
/* Two atomics that let each other in by turns. */
byte turn, n;
active [2] proctype P() { atomic { turn == _pid; n++; turn = 1 - turn; turn == _pid; n++; turn = 1 - turn } }
