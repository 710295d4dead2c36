/* expect: holds; states: 13; transitions: 12 */
/* The same label twice in one proctype through two calls: each jump goes to
   its own. */
byte x;
inline upto(n) { skip; again: if :: x < n -> x++; goto again :: else fi }
active proctype P() { upto(1); x = 0; upto(2) }
