/* expect: violated deadlock; states: 6; transitions: 5; errors: 2 */
/* Two different invalid end states. */
byte x;
active proctype P() { if :: x = 1 :: x = 2 :: x = 3 fi; x == 3 }
