/* expect: holds; states: 5; transitions: 4 */
/* … for progress labels, … */
byte x;
active proctype S() { x = 1; progress: goto next; x = 2; next: x = 3 }
