/* expect: holds; states: 9; transitions: 9 */
/* timeout becomes true when no process can move without it. */
byte x; bool no;
active proctype P() { no }
active proctype Q() { x = 1; timeout -> x = 2; no = true }
