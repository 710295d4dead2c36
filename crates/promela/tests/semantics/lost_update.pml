/* expect: violated assertion; states: 42; transitions: 53; errors: 1 */
/* Read, then write: one of two increments can get lost. */
byte x, done;
active [2] proctype P() { byte t; t = x; x = t + 1; done++ }
active proctype Q() { done == 2; assert(x == 2) }
