/* expect: violated deadlock; states: 16; transitions: 21; errors: 1 */
/* A constant must match the head of the channel. */
chan c = [3] of { byte, byte };
byte r;
active proctype P() { c!1,10; c!2,20; c!1,30 }
active proctype Q() { byte v; do :: c?1,v -> r = r + v :: c?2,v -> r = r + 1 od }
