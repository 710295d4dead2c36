/* expect: holds; states: 8; transitions: 9 */
/* A call inside an atomic. */
byte x;
inline twice(v) { v++; v++ }
active proctype P() { atomic { twice(x); twice(x) } }
active proctype Q() { byte v; v = x }
