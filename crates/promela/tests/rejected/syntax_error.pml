/* expect: rejected */
/* Why: an assignment without a right side. */
byte x;
active proctype P() { x = ; skip }
