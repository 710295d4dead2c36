/* Which channel Q receives from is an index out of bounds: a fault of Q, not of whoever sends meanwhile. */
chan r = [0] of { byte };
chan a[2] = [1] of { byte };
active proctype P() { r ! 1 }
active proctype Q() { byte i = 3; skip; a[i] ? _ }
