/* expect: violated deadlock; states: 2; transitions: 1; errors: 1 */
/* A block in the middle of an atomic: an invalid end state, counted once. */
byte x;
active proctype P() { atomic { x = 1; x == 2; x = 3 } }
