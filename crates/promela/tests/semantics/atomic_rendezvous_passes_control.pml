/* expect: holds; states: 12; transitions: 16 */
/* Both are in an atomic: the receiver goes on to the end of its atomic, then a
   state is stored, and the sender may finish its own. */
chan c = [0] of { byte };
byte x, y;
active proctype P() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype Q() { byte v; atomic { c?v; y = 1; y = 2 } }
active proctype O() { assert(x != 2) }
