/* expect: holds; states: 7; transitions: 6 */
/* The clause is evaluated for each instance. */
byte turn, x;
active [3] proctype P() provided (turn == _pid) { x = x + _pid; turn = turn + 1 }
