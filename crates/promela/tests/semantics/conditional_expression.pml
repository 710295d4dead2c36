/* expect: holds; states: 7; transitions: 6 */
/* (c -> a : b) is a value. */
byte x = 3; byte r;
active proctype P() { r = (x > 2 -> 10 : 20); assert(r == 10); r = (x > 3 -> 10 : (x == 3 -> 30 : 40)); assert(r == 30); (x == 3 -> true : false) }
