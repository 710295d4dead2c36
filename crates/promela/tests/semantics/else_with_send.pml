/* expect: holds; states: 23; transitions: 30 */
/* else beside a buffered send: taken when the channel is full. */
chan c = [1] of { byte };
byte r;
active proctype P() { do :: c!1 -> r = 1 :: else -> r = 2; break od }
active proctype Q() { c?_ }
