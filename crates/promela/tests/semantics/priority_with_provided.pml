/* expect: holds; states: 7; transitions: 6 */
/* A process that may not move does not count as enabled. */
byte x; bool on;
active proctype Low() priority 1 { x = 1; on = true; x = 2 }
active proctype High() priority 5 provided (on) { x = 10 }
