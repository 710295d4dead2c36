/* expect: violated atomicity */
/* A statement after the first that blocks is an error of the model. */
byte x; bool go;
active proctype P() { d_step { x = 1; go; x = 2 } }
active proctype Q() { go = true }
