/* expect: holds; states: 20; transitions: 29 */
/* guard -> goto inside an atomic: two atomic steps, one transition. */
byte x;
active proctype P() { do :: atomic { x == 0 -> goto a } :: atomic { x == 5 -> goto b } od; a: x = 5; atomic { x == 5 -> goto b }; b: x = 6 }
active proctype Q() { byte v; v = x }
