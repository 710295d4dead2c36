/* expect: holds; states: 4; transitions: 3 */
/* An inline without parameters, called with (). */
byte x;
inline bump() { x++ }
active proctype P() { bump(); bump() }
