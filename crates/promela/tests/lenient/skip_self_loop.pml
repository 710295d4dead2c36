/* expect: accepted */
/* Why: pan refuses to start on a step that can only stay where it is:
   "has unconditional self-loop". */
byte x;
active proctype P() { do :: x = 0 :: skip :: x = 1 - x od }
