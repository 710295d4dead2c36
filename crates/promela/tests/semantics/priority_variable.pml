/* expect: holds; states: 22; transitions: 28 */
/* _priority is the own priority, and can be assigned. */
byte x;
active proctype A() priority 2 { x = _priority; _priority = 1; x = 5; x = 6 }
active proctype B() priority 1 { x = 10; x = 11 }
