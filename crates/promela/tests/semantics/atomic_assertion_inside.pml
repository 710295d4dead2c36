/* expect: violated assertion; states: 7; transitions: 8; errors: 3 */
/* A failing assertion in the middle of an atomic is counted, and the atomic
   goes on. */
byte x;
active proctype P() { atomic { x++; assert(x == 1); x++; assert(x == 3); x++ } }
active proctype Q() { x++ }
