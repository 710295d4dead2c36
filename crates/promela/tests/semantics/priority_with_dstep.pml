/* expect: holds; states: 7; transitions: 6 */
/* d_steps and priorities. */
byte x; bool go;
active proctype Low() priority 1 { d_step { x = 1; go = true; x = 2 }; x = 4 }
active proctype High() priority 5 { go; x = 10 }
