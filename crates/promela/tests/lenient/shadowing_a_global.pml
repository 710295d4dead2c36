/* expect: accepted */
/* Why: SPIN 6.5.2 has nested scopes, yet no name may be declared where one
   of the same name is visible: "redeclaration of 'x'". */
byte x = 5;
byte r;
active proctype P() { byte x = 3; r = x }
