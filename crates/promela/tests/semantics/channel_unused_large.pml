/* expect: holds; states: 12; transitions: 11 */
/* A long channel that is hardly used. */
chan c = [200] of { byte, short, int };
active proctype P() { byte i; do :: i < 3 -> c!i,i,i; i++ :: i == 3 -> break od }
