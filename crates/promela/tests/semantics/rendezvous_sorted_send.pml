/* expect: holds; states: 4; transitions: 3 */
/* !! on a rendezvous channel is like !. */
chan c = [0] of { byte };
byte r;
active proctype P() { c!!1 }
active proctype Q() { c?r }
