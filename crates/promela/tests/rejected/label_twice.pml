/* expect: rejected */
/* Why: two labels of one name in one proctype. */
byte x;
active proctype P() { L: x = 1; L: x = 2 }
