/* The partner of the send is ready only while another channel has a message. */
chan ch = [0] of { byte };
chan b = [1] of { byte };
byte r;
active proctype Q() { if :: ch ! 1 :: else -> r = 1 fi }
active proctype P() provided (len(b) > 0) { ch ? 1 }
active proctype R() { b ! 0 }
