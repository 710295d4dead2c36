/* expect: holds; states: 10; transitions: 10 */
/* A possible handshake is a move: no timeout before it. */
chan c = [0] of { byte };
byte r;
active proctype P() { c!1; r = 1 }
active proctype Q() { byte v; c?v; v = 2 }
active proctype T() { timeout -> r = 9 }
