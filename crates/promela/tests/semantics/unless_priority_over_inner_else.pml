/* expect: holds; states: 4; transitions: 3 */
/* The escape is enabled, so not even an else of the main sequence moves. */
byte x; bool stop = true;
active proctype P() { do :: { if :: x == 5 -> assert(false) :: else -> assert(false) fi } unless { stop -> break } od; x = 1 }
