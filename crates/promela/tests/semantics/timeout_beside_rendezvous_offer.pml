/* expect: holds; states: 7; transitions: 6 */
/* An offer that finds no partner is no move: the timeout comes. */
chan c = [0] of { byte };
byte x;
active proctype P() { do :: c!1 -> x = 1; break :: timeout -> x = 2; break od }
active proctype Q() { x == 2 -> x = 3 }
