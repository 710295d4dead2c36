/* expect: holds; states: 6; transitions: 5 */
/* Labels of liveness checking do not matter here. */
byte x;
active proctype P() { accept: x = 1; progress: x = 2; acceptall: x = 3; progress1: x = 4 }
