/* expect: holds; states: 13; transitions: 17 */
/* A d_step at the end of an atomic. */
byte x;
active proctype P() { atomic { x = 1; d_step { x = 2; x = 3 } }; x = 5 }
active proctype Q() { byte v; v = x }
