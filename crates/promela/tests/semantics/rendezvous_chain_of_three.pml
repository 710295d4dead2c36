/* expect: violated deadlock; states: 9; transitions: 9; errors: 1 */
/* A handshake triggers another one. */
chan a = [0] of { byte }; chan b = [0] of { byte };
byte r;
active proctype P() { a!1; a!2 }
active proctype Q() { byte v; do :: a?v -> b!v od }
active proctype R() { byte v; b?v; r = v; b?v; r = v }
