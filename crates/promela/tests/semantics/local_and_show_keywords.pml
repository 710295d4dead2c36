/* expect: holds; states: 15; transitions: 18 */
/* The keywords local and show change nothing here. */
local byte x; show byte y;
active proctype P() { x = 1; y = 2 }
active proctype Q() { x = 2 }
