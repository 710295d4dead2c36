/* expect: holds; states: 8; transitions: 7 */
/* A macro that is a piece of control flow. */
#define ATTEMPT(c) if :: c -> x++ :: else -> skip fi
byte x;
active proctype P() { ATTEMPT(x == 0); ATTEMPT(x == 0); ATTEMPT(x == 1) }
