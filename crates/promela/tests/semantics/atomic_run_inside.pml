/* expect: holds; states: 17; transitions: 26 */
/* run inside an atomic: the child exists, but does not move before the end. */
byte x;
proctype Child(byte v) { x = x + v }
init { atomic { run Child(1); run Child(2); run Child(4) } }
