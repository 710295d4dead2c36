/* expect: holds; states: 38; transitions: 59 */
/* Without a pid the oldest process of the proctype is meant. */
byte seen;
active [2] proctype P() { byte v; v = 10 + _pid; _nr_pr < 3 }
active proctype Q() { seen = P:v; assert(seen == 0 || seen == 10) }
