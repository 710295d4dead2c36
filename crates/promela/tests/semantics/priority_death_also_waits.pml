/* expect: holds; states: 7; transitions: 6 */
/* The end of a process of low priority waits for the high one, too. */
byte x;
active proctype A() priority 1 { x = 1 }
active proctype B() priority 2 { x == 1; x = 2; x = 3 }
