/* expect: accepted */
/* Why: "start value for i exceeds end-value". */
byte i, s;
active proctype P() { for (i : 3 .. 1) { s = s + i } }
