/* expect: violated abort */
/* Priorities go from 1 to 255. */
byte x;
active proctype A() priority 3 { set_priority(_pid, 0); x = 1 }
