/* expect: rejected */
/* Why: x + 1 is neither a place nor, without eval, a pattern. */
chan c = [1] of { byte };
byte x;
active proctype P() { c!1; c?x + 1 }
