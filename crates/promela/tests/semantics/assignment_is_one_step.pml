/* expect: holds; states: 14; transitions: 17 */
/* x = x + 1 reads and writes in one step: nothing gets lost. */
byte x, done;
active [2] proctype P() { x = x + 1; done++ }
active proctype Q() { done == 2; assert(x == 2) }
