/* expect: holds; states: 18; transitions: 25 */
/* Once the main sequence has ended, the escape is no longer watched. */
byte x; bool stop;
active proctype P() { { x = 1 } unless { stop -> x = 9 }; x = 5; stop; x = 6 }
active proctype Q() { stop = true }
