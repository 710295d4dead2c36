/* expect: holds; states: 9; transitions: 11 */
/* An atomic sequence that never blocks is one step of the state graph:
   its intermediate states are neither stored nor interleaved. */
byte x, y;
active proctype P() { atomic { x = 1; x = 2; x = 3; x = 4 } }
active proctype Q() { y = 1; y = 2 }
