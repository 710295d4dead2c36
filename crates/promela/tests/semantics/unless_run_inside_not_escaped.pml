/* expect: holds; states: 83; transitions: 149 */
/* Children started in the main sequence live on after the escape. */
byte x, y; bool stop;
proctype C() { y++ }
active proctype P() { { run C(); x = 1; run C(); x = 2 } unless { stop -> x = 9 } }
active proctype Q() { stop = true }
