/* expect: holds; states: 7; transitions: 6 */
/* len, full and empty of a rendezvous channel. */
chan c = [0] of { byte };
byte r;
active proctype P() { r = len(c); if :: full(c) -> r = 1 :: nfull(c) -> r = 2 fi; if :: empty(c) -> r = r + 10 :: nempty(c) -> r = r + 20 fi }
