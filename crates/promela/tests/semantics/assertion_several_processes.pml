/* expect: violated assertion; states: 21; transitions: 32; errors: 4 */
/* Two processes with the same failing assertion. */
byte x;
active [2] proctype P() { x++; assert(x == 1); x-- }
