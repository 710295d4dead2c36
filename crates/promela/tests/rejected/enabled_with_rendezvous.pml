/* expect: rejected */
/* Why: enabled() cannot be used in models with synchronous channels. */
chan c = [0] of { byte }; byte e = 9;
active proctype P() { c!1 }
active proctype Q() { e = enabled(0); e = e + 2 }
