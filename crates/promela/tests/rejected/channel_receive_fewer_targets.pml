/* expect: rejected */
/* Fewer targets than fields: an error when it is received. */
chan c = [1] of { byte, byte };
byte r;
active proctype P() { c!1,2; c?r }
