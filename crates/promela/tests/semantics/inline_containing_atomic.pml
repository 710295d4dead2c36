/* expect: holds; states: 13; transitions: 17 */
/* An atomic inside an inline. */
byte x;
inline twice(v) { atomic { v++; v++ } }
active proctype P() { twice(x); twice(x) }
active proctype Q() { byte v; v = x }
