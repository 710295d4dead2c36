/* expect: accepted */
/* Why: "cannot use var ('r') in multiple msg fields". */
chan c = [1] of { byte, byte };
byte r;
active proctype P() { c!1,2; c?r,r }
