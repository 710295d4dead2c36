/* expect: violated deadlock+channel */
/* ?<> on a rendezvous channel is an error ("polling rv chan"), and does not
   receive. */
chan c = [0] of { byte };
byte r;
active proctype P() { c!1; r = r + 10 }
active proctype Q() { c?<r>; r = r + 1 }
