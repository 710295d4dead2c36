/* expect: violated atomicity */
/* A rendezvous receive behind the first statement of a d_step blocks, which is
   an error. */
chan c = [0] of { byte };
byte x, v;
active proctype P() { d_step { x = 1; c?v; x = 2 } }
active proctype Q() { c!1 }
