/* expect: holds; states: 9; transitions: 8 */
/* Named mtypes number their constants each for themselves: 2 1 and 2 1. */
mtype:fruit = { apple, pear };
mtype:colour = { red, green };
mtype:fruit f; mtype:colour c; byte r;
active proctype P() { f = apple; c = red; r = f * 10 + c; assert(r == 22); f = pear; c = green; r = f * 10 + c }
