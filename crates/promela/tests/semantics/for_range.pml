/* expect: holds; states: 13; transitions: 12 */
/* for (i : a .. b): an assignment, a guard, the body, an increment, an else. */
byte i, s;
active proctype P() { for (i : 1 .. 3) { s = s + i } }
