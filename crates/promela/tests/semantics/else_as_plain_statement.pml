/* expect: holds; states: 5; transitions: 4 */
/* An else outside of any choice is accepted, and is a step like skip. */
byte x;
active proctype P() { x = 1; else; x = 2 }
