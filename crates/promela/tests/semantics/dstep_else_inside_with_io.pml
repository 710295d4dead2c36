/* expect: holds; states: 10; transitions: 10 */
/* else beside a receive in a d_step. */
chan c = [1] of { byte };
byte x, v;
active proctype P() { d_step { skip; if :: c?v -> x = 1 :: else -> x = 2 fi } }
active proctype Q() { c!5 }
