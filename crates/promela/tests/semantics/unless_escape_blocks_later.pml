/* expect: holds; states: 32; transitions: 44 */
/* Once begun, an escape goes on, even if it blocks and its guard is false
   again. */
byte x; bool stop, go;
active proctype P() { { x = 1; x = 2 } unless { stop -> stop = false; go; x = 9 } }
active proctype Q() { stop = true; go = true }
