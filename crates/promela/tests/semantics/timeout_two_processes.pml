/* expect: holds; states: 11; transitions: 11 */
/* Two processes wait for the timeout: both may take it. */
byte x;
active [2] proctype P() { timeout; x = x + 1 + _pid }
