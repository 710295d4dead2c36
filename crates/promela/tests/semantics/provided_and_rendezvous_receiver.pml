/* expect: holds; states: 7; transitions: 7 */
/* The clause of the receiver is false: no handshake. */
chan c = [0] of { byte }; bool on; byte r;
active proctype P() { c!1 }
active proctype Q() provided (on) { c?r }
active proctype R() { on = true }
