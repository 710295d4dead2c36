/* expect: holds; states: 777; transitions: 777 */
/* The heads of an inner loop are flattened, and its else does not look at the
   options behind it: the loop can go on for ever. */
byte x, y;
active proctype P() { do :: do :: x < 2 -> x++ :: else -> break od; y++; x = 5 :: y == 1 -> break od }
