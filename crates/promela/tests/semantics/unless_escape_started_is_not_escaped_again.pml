/* expect: holds; states: 7; transitions: 6 */
/* Inside the escape sequence its guard is not watched any more. */
byte x; bool stop = true;
active proctype P() { { x = 1 } unless { stop -> x = 9; x = 10; stop; x = 11 } }
