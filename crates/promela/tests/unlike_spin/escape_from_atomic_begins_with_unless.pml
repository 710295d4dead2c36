/* expect: holds; states: 5; transitions: 4; depth: 4 */
/* Why: SPIN does not find an escape from inside an atomic sequence where it begins with another unless. */
byte x;
active proctype P() { x = 1; { atomic { x = 2; x = 3 }; assert(false) } unless { { x == 1 } unless { x == 7 }; x = 4 } }
