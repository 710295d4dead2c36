/* expect: holds; states: 17; transitions: 20 */
/* A break whose label is referred to is a step, like a goto. */
byte x, seen;
active proctype P() { do :: x = 1; there: break od; x = 3 }
active proctype Q() { do :: P@there -> seen = 1; break :: x == 3 -> break od }
