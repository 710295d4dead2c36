/* expect: rejected */
/* Why: a goto to nowhere. */
byte x;
active proctype P() { x = 1; goto nowhere }
