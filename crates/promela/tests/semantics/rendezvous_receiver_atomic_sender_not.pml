/* expect: holds; states: 12; transitions: 15 */
/* The receive is the first statement of an atomic: the receiver goes on
   atomically after the handshake. */
chan c = [0] of { byte };
byte x, y;
active proctype P() { x = 1; c!1; x = 2; x = 3 }
active proctype Q() { byte v; atomic { c?v; y = 1; y = 2 }; y = 3 }
