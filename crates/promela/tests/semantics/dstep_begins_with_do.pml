/* expect: holds; states: 9; transitions: 10 */
/* A d_step that begins with a loop, one of whose guards must be true. */
byte x; bool go;
active proctype P() { d_step { do :: go && x < 3 -> x++ :: x == 3 -> break od }; x = 9 }
active proctype Q() { byte v; v = x; go = true }
