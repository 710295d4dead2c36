/* expect: holds; states: 5; transitions: 4 */
/* A trace over handshakes. */
chan c = [0] of { byte };
byte r;
active proctype P() { c!1; c!2 }
active proctype Q() { c?r; c?r }
trace { c!1; c!2 }
