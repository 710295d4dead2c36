/* expect: holds; states: 3; transitions: 2 */
/* active [0]: nobody. */
byte x;
active [0] proctype P() { x = 1 }
active proctype Q() { x = 2 }
