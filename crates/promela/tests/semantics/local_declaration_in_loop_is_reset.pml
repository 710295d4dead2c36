/* expect: holds; states: 18; transitions: 17 */
/* A declaration in a loop body resets the variable in each round. */
byte x;
active proctype P() { do :: x < 3 -> byte n; n++; x++; assert(n == 1) :: x == 3 -> break od }
