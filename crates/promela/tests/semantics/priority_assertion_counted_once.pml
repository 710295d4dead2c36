/* expect: violated assertion; states: 22; transitions: 24; errors: 2 */
/* Asking whether a process is enabled does not execute its assertion. */
byte x;
active proctype Low() priority 1 { x = 1; x = 2 }
active proctype Also() priority 1 { x = 3 }
active proctype High() priority 5 { x == 1; assert(x == 7); x = 5 }
