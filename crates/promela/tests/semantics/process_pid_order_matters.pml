/* expect: holds; states: 21; transitions: 24 */
/* The same two processes, started in the other order: other states. */
byte x;
proctype A() { x = 1 }
proctype B() { x = 2 }
init { if :: atomic { run A(); run B() } :: atomic { run B(); run A() } fi }
