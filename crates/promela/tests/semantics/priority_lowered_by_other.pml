/* expect: holds; states: 25; transitions: 26 */
/* A process lowers the priority of another one. */
byte x;
active proctype A() priority 3 { x = 1; x = 2; x = 3 }
active proctype B() priority 3 { set_priority(0, 1); x = 10; x = 11 }
