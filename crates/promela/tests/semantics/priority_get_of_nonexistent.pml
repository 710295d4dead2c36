/* expect: holds; states: 5; transitions: 4 */
/* The priority of nobody is 0; setting it has no effect. */
byte p = 9;
active proctype A() priority 3 { p = get_priority(7); set_priority(7, 2); assert(p == 0) }
