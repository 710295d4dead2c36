/* expect: rejected */
/* Why: after the } of a channel initialiser no comma may follow. */
chan c = [0] of { byte }, d = [0] of { byte };
active proctype P() { c!1 }
