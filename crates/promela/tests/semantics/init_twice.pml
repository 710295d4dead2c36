/* expect: holds; states: 10; transitions: 10 */
/* Two inits are two processes. */
byte x;
init { x = 1 }
init { x = 2 }
