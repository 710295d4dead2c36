/* expect: violated deadlock; states: 40; transitions: 59; errors: 2 */
/* The channel is computed: an array indexed by an expression. */
chan c[3] = [0] of { byte };
byte r;
active proctype P() { byte i; do :: i < 3 -> c[i]!i; i++ :: i == 3 -> break od }
active proctype Q() { byte v, j = 2; do :: c[j]?v -> r = r + v; j = (j + 2) % 3 :: j != 0 -> j-- od }
