/* expect: rejected */
/* Why: the bare name of an array is not its first element. */
byte a[3]; byte r;
active proctype P() { r = a + 1 }
