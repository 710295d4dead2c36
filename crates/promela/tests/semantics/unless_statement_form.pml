/* expect: holds; states: 12; transitions: 16 */
/* unless between single statements, without braces. */
byte x; bool stop;
active proctype P() { x = 1 unless stop; x = 2 }
active proctype Q() { stop = true }
