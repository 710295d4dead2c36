/* expect: rejected */
/* Why: !full(c) is written nfull(c); SPIN insists. */
chan c = [2] of { byte };
active proctype P() { !full(c) -> c!1 }
