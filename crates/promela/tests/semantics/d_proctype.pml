/* expect: holds; states: 9; transitions: 8 */
/* D_proctype declares the proctype deterministic: here it is. */
byte x;
active D_proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od }
