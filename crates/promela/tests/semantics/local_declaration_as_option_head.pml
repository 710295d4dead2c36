/* expect: holds; states: 4; transitions: 3 */
/* The declaration is the head of the option, and always executable. */
byte x;
active proctype P() { if :: byte k; x = 5 + k :: x == 1 -> byte l = 2; x = l fi }
