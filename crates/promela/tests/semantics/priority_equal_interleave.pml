/* expect: holds; states: 12; transitions: 13 */
/* Equal priorities interleave. */
byte x;
active proctype A() priority 3 { x = 1; x = 2 }
active proctype B() priority 3 { x = 3 }
active proctype C() priority 2 { x = 5 }
