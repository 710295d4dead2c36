/* expect: violated deadlock; states: 1; transitions: 0; errors: 1 */
/* The only receive on offer wants another constant. */
mtype = { ping, pong };
chan c = [0] of { mtype };
active proctype P() { c!ping }
active proctype Q() { c?pong }
