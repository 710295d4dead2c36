/* expect: holds; states: 36; transitions: 52 */
/* After the break of a loop inside the main sequence the escape is on for
   the rest of it. */
byte x; bool stop;
active proctype P() { { do :: x < 2 -> x++ :: x == 2 -> break od; x = 5; x = 6 } unless { stop -> x = 9 } }
active proctype Q() { stop = true }
