/* expect: holds; states: 15; transitions: 24 */
/* The number of instances may come from a macro. */
#define N 3
byte x;
active [N] proctype P() { x++ }
