/* expect: holds; states: 43; transitions: 68 */
/* A label inside an inline, called in two proctypes. */
byte x;
inline upto(n) { skip; again: if :: x < n -> x++; goto again :: else fi }
active proctype P() { upto(2) }
active proctype Q() { upto(1) }
