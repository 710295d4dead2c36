/* expect: rejected */
/* Fewer values than fields: an error when it is sent. */
chan c = [1] of { byte, byte };
byte r, s = 9;
active proctype P() { c!1; c?r,s }
