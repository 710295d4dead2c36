/* expect: holds; states: 2; transitions: 6 */
/* A step that leads back to the same state is a transition. */
byte x;
active proctype P() { do :: x = 0 :: x = 1 - x :: x = x od }
