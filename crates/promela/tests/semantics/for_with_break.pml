/* expect: holds; states: 14; transitions: 13 */
/* break leaves a for. */
byte i, s;
active proctype P() { for (i : 1 .. 5) { if :: i == 3 -> break :: else fi; s = s + i }; s = s + 10 }
