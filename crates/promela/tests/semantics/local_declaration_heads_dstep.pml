/* expect: violated atomicity */
/* A guard behind a declaration is not the first statement of the d_step: it
   must not block. */
byte x; bool g;
active proctype P() { d_step { byte a; g; x = 1 } }
active proctype Q() { g = 1 }
