/* expect: holds; states: 15; transitions: 20 */
/* A handshake from within an atomic to one of two receivers. */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; c!1; x = 2; c!2; x = 3 } }
active [2] proctype R() { byte v; atomic { c?v; x = x + 10 } }
