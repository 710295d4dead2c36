/* expect: holds; states: 8; transitions: 7 */
/* true is 1, false is 0; skip is the expression (1). */
byte x;
active proctype P() { x = true + true; assert(x == 2); x = false; x = (true -> 5 : 6); if :: skip -> x++ :: false fi }
