/* expect: holds; states: 7; transitions: 7 */
byte x;
active proctype P() { if :: true -> L: skip; skip; x = 3 :: skip; skip; skip; goto L fi; x = 5 }
