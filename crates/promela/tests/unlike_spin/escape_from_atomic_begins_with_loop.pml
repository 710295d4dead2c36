/* expect: holds; states: 4; transitions: 3; depth: 4 */
/* Why: SPIN takes the head of a loop for a jump that is always possible, in an escape from inside an atomic sequence. */
byte x;
active proctype P() { x = 1; { atomic { x = 2; x = 3 } } unless { do :: x == 7 -> assert(false) od } }
