/* The partner of the send compares the message with the length of another channel. */
chan ch = [0] of { byte };
chan b = [1] of { byte };
byte r;
active proctype Q() { if :: ch ! 1 :: else -> r = 1 fi }
active proctype P() { ch ? eval(len(b)) }
active proctype R() { b ! 0 }
