/* expect: holds; states: 6; transitions: 5 */
/* The values sent are those before the handshake. */
chan c = [0] of { byte };
byte x = 5;
active proctype P() { c!x }
active proctype Q() { c?x; assert(x == 5); x++ }
