/* expect: holds; states: 4; transitions: 3 */
/* An ltl formula in the file changes nothing with -DNOCLAIM. */
byte x;
active proctype P() { x = 1; x = 2 }
ltl eventually { <> (x == 2) }
