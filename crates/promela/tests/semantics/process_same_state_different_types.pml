/* expect: holds; states: 7; transitions: 7 */
/* Two proctypes with the same body: which of them runs makes a difference. */
byte x;
proctype A() { x = 1 }
proctype B() { x = 1 }
init { if :: run A() :: run B() fi }
