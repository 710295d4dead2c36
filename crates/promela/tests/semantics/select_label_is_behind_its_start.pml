/* expect: holds; states: 38; transitions: 43 */
byte n = 2;
active proctype P() { byte i; byte k; again: select (i : 0 .. n); k++; if :: k < 3 -> goto again :: else fi }
