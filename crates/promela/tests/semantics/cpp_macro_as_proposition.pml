/* expect: holds; states: 7; transitions: 6 */
/* The customary p and q. */
#define p (x == 1)
#define q (x > 1)
byte x;
active proctype P() { do :: p -> x++ :: !q && !p -> x++ :: q -> break od }
