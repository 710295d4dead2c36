/* expect: holds; states: 769; transitions: 769 */
/* Up to 255 a byte never exceeds its bound: the loop never ends. */
byte i; byte s;
active proctype P() { for (i : 254 .. 255) { s = 1 - s } }
