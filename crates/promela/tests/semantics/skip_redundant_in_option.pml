/* expect: holds; states: 8; transitions: 8 */
byte x;
active proctype P() { x = 1; if :: true -> skip; x = 3 :: true -> x = 2 fi; x = 5 }
