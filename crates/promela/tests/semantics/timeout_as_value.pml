/* expect: holds; states: 4; transitions: 3 */
/* timeout in an assignment is just a value: 0, since the assignment itself
   can be executed. */
byte x = 9;
active proctype P() { x = timeout; assert(x == 0) }
