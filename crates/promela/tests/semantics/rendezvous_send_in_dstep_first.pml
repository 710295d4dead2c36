/* expect: violated atomicity */
/* A rendezvous send inside a d_step is an error, even as its first statement. */
chan c = [0] of { byte };
byte x, y;
active proctype P() { d_step { c!1; x = 1; x = 2 } }
active proctype Q() { byte v; c?v; y = 1 }
