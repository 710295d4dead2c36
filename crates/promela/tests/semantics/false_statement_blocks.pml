/* expect: violated deadlock; states: 8; transitions: 8; errors: 2 */
/* A constant false statement blocks for ever: invalid end state. */
byte x;
active proctype P() { x = 1; false; x = 2 }
active proctype Q() { x = 5 }
