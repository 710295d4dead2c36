/* expect: holds; states: 5; transitions: 4 */
/* An escape that is always executable: the main sequence never runs. */
byte x;
active proctype P() { { x = 1; assert(false) } unless { x = 2; x = 3 }; x = x + 1 }
