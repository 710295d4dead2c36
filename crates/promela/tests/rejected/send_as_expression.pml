/* expect: rejected */
/* Why: a send is a statement, no expression. */
chan c = [1] of { byte };
byte x;
active proctype P() { x == 0 && c!1 }
