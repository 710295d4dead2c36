/* expect: holds; states: 21; transitions: 24 */
/* Without a priority it is 1. */
byte x;
active proctype A() { x = 1; x = 2 }
active proctype B() priority 2 { x = 3 }
active proctype C() priority 1 { x = 5 }
