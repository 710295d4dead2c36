/* expect: holds; states: 15; transitions: 18 */
/* else beside a buffered receive: SPIN complains, and takes it: no message. */
chan c = [1] of { byte };
byte r;
active proctype P() { byte v; if :: c?v -> r = 1 :: else -> r = 2 fi }
active proctype Q() { c!1 }
