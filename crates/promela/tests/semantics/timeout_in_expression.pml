/* expect: holds; states: 10; transitions: 9 */
/* timeout is a value that is true in such states. */
byte x; bool b;
active proctype P() { (timeout && x == 0) -> x = 1; (timeout || x == 5) -> x = 2 }
active proctype Q() { b = true; x == 1 -> b = false }
