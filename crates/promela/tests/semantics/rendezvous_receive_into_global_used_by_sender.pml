/* expect: holds; states: 5; transitions: 4 */
/* The values of the sender are taken before the receiver stores any of them. */
chan c = [0] of { byte, byte };
byte a = 1, b = 2;
active proctype P() { c!b,a }
active proctype Q() { c?a,b; assert(a == 2 && b == 1) }
