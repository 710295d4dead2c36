/* expect: holds; states: 8; transitions: 8 */
/* A channel identity can be sent; the receiver answers over it. */
chan server = [1] of { chan, byte };
byte r;
active proctype Client() { chan me = [1] of { byte }; server!me,3; me?r }
active proctype Server() { chan who; byte v; server?who,v; who!v + 1 }
