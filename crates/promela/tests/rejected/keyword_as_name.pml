/* expect: rejected */
/* Why: never is a keyword. */
bool never;
active proctype P() { never = true }
