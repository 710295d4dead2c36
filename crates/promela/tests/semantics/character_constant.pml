/* expect: holds; states: 4; transitions: 3 */
/* A character constant is a number. */
byte x;
active proctype P() { x = 'a'; assert(x == 97) }
