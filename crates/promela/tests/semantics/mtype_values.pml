/* expect: holds; states: 10; transitions: 9 */
/* The constants of an mtype declaration are numbered from its end, from 1. */
mtype = { red, green, blue };
mtype m; byte r;
active proctype P() { assert(m == 0); m = red; r = m; assert(r == 3); r = green; assert(r == 2); m = blue; r = m }
