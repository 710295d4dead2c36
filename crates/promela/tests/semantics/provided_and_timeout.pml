/* expect: holds; states: 7; transitions: 7 */
/* A process whose clause is false cannot move: a timeout comes. */
byte x; bool on;
active proctype P() provided (on) { x = 1 }
active proctype Q() { timeout -> on = true }
