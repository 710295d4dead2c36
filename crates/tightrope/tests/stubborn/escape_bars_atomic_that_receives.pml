/* The barred transition receives on a rendezvous channel later in its atomic sequence. */
chan r = [0] of { byte };
bool e = 1; byte x;
active proctype A() { byte z; { atomic { x == 0; r ? z }; assert(false) } unless { e -> skip } }
active proctype B() { e = 0 }
active proctype C() { r ! 1 }
