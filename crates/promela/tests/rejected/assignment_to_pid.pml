/* expect: rejected */
/* Why: _pid is read-only. */
active proctype P() { _pid = 3 }
