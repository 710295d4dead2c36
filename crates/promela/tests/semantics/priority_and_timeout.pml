/* expect: holds; states: 7; transitions: 6 */
/* timeout and priorities. */
byte x;
active proctype Low() priority 1 { x = 1; x = 2 }
active proctype High() priority 5 { timeout -> x = 10 }
