/* expect: holds; states: 18; transitions: 21 */
/* P[pid]@label: whether the process is at that place. */
byte x, seen;
active proctype P() { x = 1; there: x = 2; x = 3 }
active proctype Q() { if :: P[0]@there -> seen = 1 :: x == 3 -> seen = 2 fi }
