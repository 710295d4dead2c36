/* expect: holds; states: 14; transitions: 18 */
/* Two d_steps in one atomic, the second blocking at its start. */
byte x; bool go;
active proctype P() { atomic { d_step { x = 1; x = 2 }; d_step { go; x = 3; x = 4 }; x = 5 } }
active proctype Q() { byte v; v = x; go = 1 }
