/* expect: rejected */
/* Why: "place initialized chan decl of 'c' at start of proctype". */
byte x;
active proctype P() { x = 1; chan c = [1] of { byte }; c!1 }
