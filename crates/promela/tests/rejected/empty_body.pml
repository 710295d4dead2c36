/* expect: rejected */
/* Why: a body needs at least one statement. */
active proctype P() { }
