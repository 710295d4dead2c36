/* expect: holds; states: 10; transitions: 9 */
/* Each timeout needs a state in which nobody else can move. */
byte x;
active proctype P() { timeout; x = 1; timeout; x = 2 }
active proctype Q() { x == 1 -> x = 5; x == 2 }
