/* expect: holds; states: 3; transitions: 2 */
/* A state in which only a timeout is possible is not an invalid end state. */
active proctype P() { do :: timeout -> break od }
