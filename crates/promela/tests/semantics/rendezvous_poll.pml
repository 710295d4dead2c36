/* expect: violated channel */
/* ?[] on a rendezvous channel is an error. */
chan c = [0] of { byte };
byte r;
active proctype P() { c!1 }
active proctype Q() { if :: c?[1] -> r = 1 :: timeout -> r = 2 fi; c?_ }
