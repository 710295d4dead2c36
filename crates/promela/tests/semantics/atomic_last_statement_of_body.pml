/* expect: holds; states: 3; transitions: 2 */
/* After the atomic there is only the end of the process: death is a step of
   its own. */
byte x;
active proctype P() { atomic { x = 1; x = 2 } }
