/* expect: accepted */
/* Why: the whole body is an infinite goto loop. */
active proctype P() { L: goto L }
