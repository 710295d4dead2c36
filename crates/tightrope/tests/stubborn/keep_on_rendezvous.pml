chan c = [0] of { byte }; chan d = [0] of { byte };
active proctype P() { byte x; if :: else fi; c??<x> }
active proctype Q() { if :: d :: c!1 fi }
