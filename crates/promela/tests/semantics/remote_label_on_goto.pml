/* expect: holds; states: 17; transitions: 20 */
/* A goto whose label is referred to from elsewhere is not folded away: it is
   a step, and somebody can be seen there. */
byte x, seen;
active proctype P() { x = 1; there: goto next; x = 2; next: x = 3 }
active proctype Q() { do :: P@there -> seen = 1; break :: x == 3 -> break od }
