/* expect: violated error; states: 5; transitions: 4; errors: 1 */
byte x;
active D_proctype P() { atomic { x = 1; if :: x == 1 -> x = 2 :: x > 0 -> x = 3 fi; x++ } }
