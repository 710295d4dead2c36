/* expect: violated assertion; states: 7; transitions: 6; errors: 2 */
/* A failing assertion does not stop its process. */
byte x;
active proctype P() { x = 1; assert(x == 2); x = 3; assert(x == 4); x = 5 }
