/* expect: holds; states: 160; transitions: 159 */
/* select over more than 32 values: a loop that counts up. */
byte i;
active proctype P() { select (i : 1 .. 40) }
