/* expect: holds; states: 11; transitions: 10 */
/* A timeout beside an else can never be taken. */
byte x;
active proctype P() { do :: timeout -> assert(false) :: else -> x++; if :: x == 3 -> break :: else fi od }
