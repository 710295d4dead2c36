/* expect: holds; states: 4; transitions: 4 */
/* An endless loop has no end state at all: no error either. */
byte x;
active proctype P() { do :: x = (x + 1) % 4 od }
