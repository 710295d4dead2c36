/* expect: rejected */
/* Why: the comment below never ends. */
byte x;
active proctype P() { x = 1 /* and so on }
