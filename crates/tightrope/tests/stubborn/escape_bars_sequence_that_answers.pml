/* The barred sequence can be enabled always, by its assignment, and answers a handshake although it is barred. */
chan r = [0] of { byte };
byte x, y;
bit e = 1;
active proctype P() { byte l; { d_step { if :: r ? l -> x = 5 :: y = 1 fi }; skip } unless { (e); skip } }
active proctype Q() { x = 1; r ! 1; assert(x != 5) }
