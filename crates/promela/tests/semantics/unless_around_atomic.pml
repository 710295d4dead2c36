/* expect: holds; states: 12; transitions: 16 */
/* The escape is tried before every statement, also in the middle of an atomic
   (x == 2 is seen), and by itself it is not atomic. */
byte x; bool stop;
active proctype P() { { atomic { x = 1; x = 2; x = 3 } } unless { x == 2 || stop -> x = 9 } }
active proctype Q() { stop = true }
