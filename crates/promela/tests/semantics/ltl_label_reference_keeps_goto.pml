/* expect: holds; states: 5; transitions: 4 */
/* Even an ignored formula makes a goto a step, if it refers to its label. */
byte x;
active proctype P() { x = 1; there: goto next; x = 2; next: x = 3 }
ltl nowhere { [] !(P@there) }
