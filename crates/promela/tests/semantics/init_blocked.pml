/* expect: violated deadlock; states: 2; transitions: 1; errors: 1 */
/* init waits for ever at a condition. */
bool go;
byte x;
init { x = 1; go; x = 2 }
