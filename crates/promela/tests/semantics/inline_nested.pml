/* expect: holds; states: 16; transitions: 23 */
/* Inlines call inlines. */
byte x;
inline inc(v) { v++ }
inline twice(v) { inc(v); inc(v) }
active proctype P() { twice(x); twice(x) }
active proctype Q() { inc(x) }
