/* expect: holds; states: 10; transitions: 9 */
/* set_priority changes a priority on the fly; it is part of the state. */
byte x, p;
active proctype A() priority 2 { p = get_priority(_pid); set_priority(1, 5); x = 1; x = 2 }
active proctype B() priority 1 { x = 10; set_priority(_pid, 1); x = 11 }
