/* expect: holds; states: 4; transitions: 3 */
/* A never claim in the file changes nothing with -DNOCLAIM. */
byte x;
active proctype P() { x = 1; x = 2 }
never { do :: x == 5 -> break :: else od }
