/* expect: rejected */
/* Why: an initialiser list is only allowed at the start of a body. */
byte x;
active proctype P() { x = 1; int a[3] = { 1, 2, 3 }; x = a[1] }
