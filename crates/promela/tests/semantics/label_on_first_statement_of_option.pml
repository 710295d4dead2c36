/* expect: holds; states: 9; transitions: 8 */
/* SPIN grumbles ("label j placed incorrectly") and goes on: the label may
   even be jumped to. */
byte x;
active proctype P() { if :: j: x = x + 2 :: x = 3; x = 4; goto j fi; x++ }
