/* expect: violated deadlock; states: 90; transitions: 124; errors: 3 */
/* The same loop twice: now each can be the other's partner. */
chan c = [0] of { byte };
byte n;
active [2] proctype P() { byte v; do :: n < 4 -> if :: c!1 -> n++ :: c?v fi :: n >= 4 -> break od }
