/* expect: holds; states: 6; transitions: 5 */
/* Braces alone: no state of their own. */
byte x;
active proctype P() { x = 1; { x = 2; { x = 3 } }; x = 4 }
