/* expect: holds; states: 6; transitions: 6 */
/* The guard of an atomic is an ordinary guard: nothing has happened while it
   is false, and there is no extra state. */
bool ready; byte x;
active proctype P() { atomic { ready; x = 1; x = 2 } }
active proctype Q() { ready = true }
