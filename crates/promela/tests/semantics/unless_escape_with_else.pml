/* expect: holds; states: 15; transitions: 20 */
/* An else in an escape is a trap: pan tries it before its siblings, so it is
   always executable; the siblings are tried besides. */
byte x; bool a;
active proctype P() { { x = 1; x = 2 } unless { if :: a -> x = 20 :: else -> x = 30 fi } }
active proctype Q() { a = true }
