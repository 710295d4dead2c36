/* expect: holds; states: 11; transitions: 12 */
/* ch?msg(a,b) is ch?msg,a,b. */
mtype = { data, ack };
chan c = [2] of { mtype, byte, bit };
byte r;
active proctype P() { c!data(7,1); c!ack(3,0) }
active proctype Q() { byte v; bit s; c?data(v,s); r = v + s; c?ack(v,s); r = v + s }
