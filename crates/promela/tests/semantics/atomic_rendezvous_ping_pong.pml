/* expect: holds; states: 7; transitions: 6 */
/* Control goes back and forth through two handshakes, each of them inside
   atomics on both sides. */
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x, y;
active proctype P() { byte v; atomic { c!1; x = 1; d?v; x = 2 } }
active proctype Q() { byte v; atomic { c?v; y = 1; d!1; y = 2 } }
