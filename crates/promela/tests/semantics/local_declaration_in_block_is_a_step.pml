/* expect: holds; states: 31; transitions: 42 */
/* In an inner block even a leading declaration is a step. */
byte x;
active proctype P() { { byte a = x; x = a + 1 }; { byte b; x = b } }
active proctype Q() { x = 5 }
