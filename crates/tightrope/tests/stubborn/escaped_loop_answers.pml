chan c = [0] of { byte };
active proctype P() { bit x = 1; bit y; x; c!y }
active proctype Q() { byte z; z }
active proctype R() { atomic { do :: c?0 od } unless 2 }
