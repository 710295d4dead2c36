/* expect: holds; states: 32; transitions: 45 */
/* An unless inside an inline. */
byte x; bool stop;
inline guarded(n) { { x = n; x = n + 1 } unless { stop -> x = 9; goto out } }
active proctype P() { guarded(1); guarded(3); out: x = x + 1 }
active proctype Q() { stop = true }
