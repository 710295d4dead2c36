/* expect: holds; states: 34; transitions: 65 */
/* Two processes block in the middle of their atomics; both may be resumed. */
byte tokens, inside;
active [2] proctype P() { atomic { inside++; tokens > 0; tokens--; inside-- } }
active proctype Q() { tokens++; tokens++ }
