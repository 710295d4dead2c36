/* expect: holds; states: 18; transitions: 22 */
/* First in, first out; a full channel blocks the sender. */
chan c = [2] of { byte };
byte r;
active proctype P() { c!1; c!2; c!3 }
active proctype Q() { byte v; do :: c?v -> r = r * 2 + v :: r >= 8 -> break od }
