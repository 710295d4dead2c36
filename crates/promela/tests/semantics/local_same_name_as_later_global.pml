/* expect: holds; states: 20; transitions: 26 */
/* A global declared behind the proctype does not clash with a local. */
byte r;
active proctype P() { byte x = 3; r = x; assert(x == 3) }
byte x = 5;
active proctype Q() { r = x; assert(x == 5) }
