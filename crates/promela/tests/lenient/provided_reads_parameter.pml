/* expect: accepted */
/* Why: a provided clause may read globals and _pid, but no parameter. */
byte x, turn;
proctype C(byte me) provided (turn == me) { x = x * 2 + me; turn++ }
init { atomic { run C(1); run C(0) } }
