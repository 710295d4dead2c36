/* expect: violated atomicity */
/* … and in the middle it is an error. */
chan c = [1] of { byte };
byte x;
active proctype P() { d_step { c!1; x = 1; c!2 } }
