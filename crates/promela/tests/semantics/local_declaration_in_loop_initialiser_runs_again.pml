/* expect: holds; states: 15; transitions: 14 */
/* So does one with an initialiser, which is evaluated again. */
byte x = 1;
active proctype P() { do :: x < 9 -> byte n = x; n++; x = x + n :: x >= 9 -> break od }
