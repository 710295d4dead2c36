/* expect: holds; states: 17; transitions: 21 */
/* The guards of atomics count for the else. */
byte x, y;
active proctype P() { if :: atomic { x == 1 -> y = 1; y = 2 } :: else -> y = 3 fi }
active proctype Q() { x = 1; x = 2 }
