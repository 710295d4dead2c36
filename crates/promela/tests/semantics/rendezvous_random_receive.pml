/* expect: holds; states: 5; transitions: 4 */
/* ?? on a rendezvous channel is like ?. */
chan c = [0] of { byte };
byte r;
active proctype P() { c!1; c!2 }
active proctype Q() { c??1; c??r }
