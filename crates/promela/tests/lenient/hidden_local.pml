/* expect: accepted */
/* Why: only globals can be hidden. */
active proctype P() { hidden byte h; h = 1 }
