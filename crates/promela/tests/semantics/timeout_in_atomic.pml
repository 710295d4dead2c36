/* expect: holds; states: 11; transitions: 13 */
/* A timeout in the middle of an atomic: blocks, and resumes. */
byte x;
active proctype P() { atomic { x = 1; timeout; x = 2; x = 3 } }
active proctype Q() { byte v; v = x; v = 9 }
