/* expect: holds; states: 10; transitions: 9 */
/* ; and -> are the same; a separator may be missing before a brace or after
   a closing one, and may be doubled at the end of a line. */
byte x
active proctype P() {
    x = 1 -> x = 2;
    if
    :: x == 2; x = 3;
    :: else -> ;
    fi
    x = 4
    do
    :: x == 4 -> break;
    od
    atomic { x = 5; x = 6; }
    x = 7;
}
