/* expect: holds; states: 5; transitions: 4 */
/* An atomic that consists of a goto. */
byte x;
active proctype P() { x = 1; atomic { goto out }; x = 2; out: x = 3 }
