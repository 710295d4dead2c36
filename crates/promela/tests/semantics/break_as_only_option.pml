/* expect: holds; states: 5; transitions: 4 */
/* do :: break od */
byte x;
active proctype P() { x = 1; do :: break od; x = 2 }
