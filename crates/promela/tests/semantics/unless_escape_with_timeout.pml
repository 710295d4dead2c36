/* expect: holds; states: 12; transitions: 14 */
/* A timeout as escape: only when nothing else can move. */
byte x; bool no;
active proctype P() { { x = 1; no; x = 2 } unless { timeout -> x = 20 } }
active proctype Q() { byte v; v = x; v = 5 }
