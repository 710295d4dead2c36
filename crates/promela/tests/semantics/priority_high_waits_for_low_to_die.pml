/* expect: holds; states: 6; transitions: 5 */
/* The high one waits for the number of processes to sink. */
byte x;
active proctype High() priority 5 { _nr_pr == 1; x = 10 }
active proctype Low() priority 1 { x = 1 }
