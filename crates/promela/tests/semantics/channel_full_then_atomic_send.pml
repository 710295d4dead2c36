/* expect: holds; states: 9; transitions: 9 */
/* A send inside an atomic blocks on a full channel, and the rest follows. */
chan c = [1] of { byte };
byte x;
active proctype P() { atomic { c!1; x = 1; c!2; x = 2 } }
active proctype Q() { byte v; c?v; v = 0; c?v }
