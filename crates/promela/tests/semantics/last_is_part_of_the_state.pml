/* expect: holds; states: 19; transitions: 26 */
/* _last names the process that moved last; using it puts it into the state. */
byte x;
active proctype P() { x++; x++ }
active proctype Q() { x++; assert(_last >= 0) }
