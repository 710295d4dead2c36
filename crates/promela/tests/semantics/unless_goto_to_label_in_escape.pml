/* expect: holds; states: 10; transitions: 13 */
/* A jump into the middle of an escape sequence. */
byte x; bool stop;
active proctype P() { goto late; { x = 1; x = 2 } unless { stop -> x = 8; late: x = 9 }; x = 10 }
active proctype Q() { stop = true }
