/* expect: holds; states: 24; transitions: 29 */
/* P:var and P[pid]:var read the local of another process. */
byte seen;
active proctype P() { byte v = 4; v = 5; v = 6 }
active proctype Q() { seen = P:v; seen = P[0]:v }
