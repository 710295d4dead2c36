/* expect: holds; states: 31; transitions: 48 */
/* The sibling of a timeout goes first as long as anything can move. */
byte x;
active proctype P() { do :: x < 3 -> x++ :: timeout -> x = 10; break od }
active proctype Q() { byte v; v = 1; v = 2 }
