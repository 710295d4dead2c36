/* expect: rejected */
/* Why: the preprocessor finds no such file. */
#include "no_such_file.pml"
byte x;
active proctype P() { x = 1 }
