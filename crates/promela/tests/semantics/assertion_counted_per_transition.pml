/* expect: violated assertion; states: 9; transitions: 11; errors: 4 */
/* The same assertion fails on several transitions: each is an error. */
byte x, y;
active proctype P() { assert(x > 5) }
active proctype Q() { x = 1; x = 2 }
