/* expect: holds; states: 9; transitions: 9 */
/* A label inside an atomic is passed, but never seen, unless it blocks there. */
byte x, seen; bool go;
active proctype P() { atomic { x = 1; pass: x = 2; stay: go; x = 3 } }
active proctype Q() { if :: P@pass -> seen = 1 :: P@stay -> seen = 2; go = true :: x == 3 fi }
