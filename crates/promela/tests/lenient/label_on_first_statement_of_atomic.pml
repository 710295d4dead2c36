/* expect: accepted */
/* Why: "label j placed incorrectly". */
byte x;
active proctype P() { atomic { j: x = 2; x = 3 } }
