/* expect: holds; states: 5; transitions: 4 */
/* As long as the escape guard is true, the main sequence cannot move. */
byte x; bool stop = true;
active proctype P() { { x = 1; assert(false) } unless { stop -> x = 9 }; x = x + 1 }
