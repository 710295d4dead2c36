/* expect: violated deadlock; states: 5; transitions: 4; errors: 1 */
/* Constants in the receive must match, or there is no handshake. */
mtype = { ping, pong };
chan c = [0] of { mtype, byte };
byte r;
active proctype P() { c!ping,1; c!pong,2 }
active proctype Q() { byte v; do :: c?pong,v -> r = 10 + v :: c?ping,v -> r = v od }
