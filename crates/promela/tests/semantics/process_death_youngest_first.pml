/* expect: holds; states: 13; transitions: 14 */
/* A process can die only if all younger ones are dead: P waits for Q. */
byte x;
active proctype P() { x = 1 }
active proctype Q() { x = 2; x = 3 }
