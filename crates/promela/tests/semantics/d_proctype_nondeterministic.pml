/* expect: violated error; states: 5; transitions: 4; errors: 1 */
byte x;
active D_proctype P() { if :: x = 1 :: x = 2 fi }
