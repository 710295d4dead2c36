/* expect: holds; states: 13; transitions: 12 */
/* select over a range of constants: a choice with one option per value. */
byte i;
active proctype P() { select (i : 1 .. 4); assert(i >= 1 && i <= 4) }
