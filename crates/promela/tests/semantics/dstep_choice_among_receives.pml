/* expect: holds; states: 6; transitions: 5 */
/* Which receive of a d_step is taken: the first that can be. */
chan c = [2] of { byte }; chan d = [2] of { byte };
byte x;
active proctype P() { byte v; c!1; d!2; d_step { if :: d?v :: c?v fi; x = v }; d_step { do :: c?v -> x = 10 + v :: d?v -> x = 20 + v :: empty(c) && empty(d) -> break od } }
