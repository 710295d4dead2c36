/* expect: holds; states: 18; transitions: 21 */
/* P@label: with one instance the pid may be left out. */
byte x, seen;
active proctype P() { x = 1; there: x = 2; x = 3 }
active proctype Q() { if :: P@there -> seen = 1 :: x == 3 -> seen = 2 fi }
