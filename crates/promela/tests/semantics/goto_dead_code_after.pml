/* expect: holds; states: 5; transitions: 4 */
/* Statements after a goto are never reached and cost nothing. */
byte x;
active proctype P() { x = 1; goto out; x = 2; x = 3; out: x = 4; goto end; assert(false); end: skip }
