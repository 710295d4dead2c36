/* expect: rejected */
/* Why: an array needs an element. */
byte a[0];
active proctype P() { skip }
