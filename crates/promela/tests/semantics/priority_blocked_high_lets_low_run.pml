/* expect: holds; states: 10; transitions: 9 */
/* A blocked process of high priority does not hold up the others. */
byte x; bool go;
active proctype Low() priority 1 { x = 1; go = true; x = 2; x = 3 }
active proctype High() priority 5 { go; x = 10; x = 11 }
