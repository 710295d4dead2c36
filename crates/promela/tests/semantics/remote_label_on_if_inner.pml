/* expect: violated deadlock; states: 26; transitions: 30; errors: 1 */
/* A label on an if, seen from outside. */
byte x, seen;
active proctype P() { x = 1; there: if :: x == 1 -> x = 2 :: x == 7 fi; x = 3 }
active proctype Q() { P@there -> seen = x }
