/* expect: holds; states: 20; transitions: 26 */
/* Declarations at the start of a body are evaluated when the process is
   created: they are no steps, and read the globals of that moment. */
byte x = 4;
active proctype P() { byte a = x; byte b = a + 1; x = b; assert(a == 4 && b == 5) }
active proctype Q() { byte a = x; x = 9; assert(a == 4) }
