/* An escape that is a rendezvous send bars an atomic sequence until its partner goes away. */
chan r = [0] of { byte };
byte x, y;
active proctype Z() { if :: r ? 0 :: y = 1 fi }
active proctype P1() { { atomic { (_pid > 0); skip }; assert(x == 1) } unless { r ! 0; skip } }
active proctype P2() { x = 1 }
