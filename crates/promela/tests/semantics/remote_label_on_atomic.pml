/* expect: holds; states: 25; transitions: 27 */
/* A label on an atomic: the place in front of it. */
byte x, seen;
active proctype P() { x = 1; there: atomic { x = 2; x = 3 }; x = 4 }
active proctype Q() { if :: P@there -> seen = x :: x == 4 fi }
