/* expect: holds; states: 139; transitions: 402 */
/* Two groups of active processes of different size. */
byte a, b;
active [2] proctype P() { a++; a-- }
active [3] proctype Q() { b++ }
