/* expect: holds; states: 66; transitions: 97 */
/* After the first statement a declaration is an assignment, with a state of
   its own, even without an initialiser. */
byte x;
active proctype P() { x = 1; byte a = x; x = 2; byte b; x = a + b; byte c, d = 3, e; x = d }
active proctype Q() { x = 5 }
