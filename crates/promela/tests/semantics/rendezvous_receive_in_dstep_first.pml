/* expect: holds; states: 6; transitions: 6 */
/* A rendezvous receive as the first statement of a d_step. */
chan c = [0] of { byte };
byte x, y;
active proctype P() { c!1; x = 1 }
active proctype Q() { byte v; d_step { c?v; y = v; y = y + 1 } }
