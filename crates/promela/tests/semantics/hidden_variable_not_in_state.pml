/* expect: holds; states: 13; transitions: 18 */
/* A hidden variable is not part of the state: its values make no states. */
hidden byte h; byte x;
active proctype P() { h = 1; h = 2; x = 1 }
active proctype Q() { h = 3 }
