/* expect: holds; states: 14; transitions: 17 */
/* A process moves only while its provided clause is true. */
byte x; bool on;
active proctype P() provided (on) { x = 1; x = 2 }
active proctype Q() { on = true; on = false; on = true }
