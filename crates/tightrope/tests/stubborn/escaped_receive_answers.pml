chan c = [0] of { byte };
active proctype P() { 3; c!1; 0 }
active proctype Q() { byte x; c?x unless 1 }
