/* expect: violated assertion; states: 7; transitions: 8; errors: 2 */
/* A failing assertion inside a d_step is counted; the step goes on. */
byte x;
active proctype P() { d_step { x++; assert(x == 1); x++ } }
active proctype Q() { x++ }
