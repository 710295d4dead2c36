/* expect: holds; states: 7; transitions: 6 */
/* Only the enabled processes of the highest priority move. */
byte x;
active proctype Low() priority 1 { x = 1; x = 2 }
active proctype High() priority 5 { x = 10; x = 11 }
