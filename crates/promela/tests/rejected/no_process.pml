/* expect: rejected */
/* Why: nobody runs. */
byte x;
proctype P() { x = 1 }
