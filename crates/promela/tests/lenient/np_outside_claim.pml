/* expect: accepted */
/* Why: np_ is only for never claims. */
byte x;
active proctype P() { assert(np_); x = 1 }
