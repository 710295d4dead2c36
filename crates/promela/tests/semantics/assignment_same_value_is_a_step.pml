/* expect: holds; states: 4; transitions: 3 */
/* An assignment that changes nothing still moves the process. */
byte x = 1;
active proctype P() { x = 1; x = x }
