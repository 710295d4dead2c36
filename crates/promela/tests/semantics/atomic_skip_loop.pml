/* expect: holds; states: 3; transitions: 3 */
/* A loop of atomics that come back to the same state. */
byte x;
active proctype P() { do :: atomic { x = 1; x = 0 } :: x = 2; break od }
