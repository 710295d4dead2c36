/* expect: holds; states: 8; transitions: 7 */
/* A process of higher priority that becomes enabled in the middle of an
   atomic interrupts it: the state there is stored. */
byte x; bool go;
active proctype Low() priority 1 { atomic { x = 1; go = true; x = 2; x = 3 }; x = 4 }
active proctype High() priority 5 { go; x = 10 }
