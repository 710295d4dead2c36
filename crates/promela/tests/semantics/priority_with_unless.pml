/* expect: holds; states: 8; transitions: 7 */
/* A blocked high process is enabled through its escape. */
byte x; bool stop;
active proctype Low() priority 1 { x = 1; stop = true; x = 2 }
active proctype High() priority 5 { { x == 99 } unless { stop -> x = 10 } }
