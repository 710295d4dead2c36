/* expect: holds; states: 11; transitions: 13 */
/* A channel variable holds an identity: copies name the same channel. */
chan c = [2] of { byte };
byte r;
proctype C(chan d) { chan e = d; e!1; d!2 }
init { chan f = c; run C(f); c?r; c?r }
