/* expect: holds; states: 9; transitions: 8 */
/* !timeout is true whenever the system can move, as it can here. */
byte x;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> break od; !timeout; x = 5 }
