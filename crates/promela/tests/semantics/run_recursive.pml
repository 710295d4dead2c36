/* expect: holds; states: 18; transitions: 17 */
/* A process that runs itself, as deep as its parameter. */
byte depth;
proctype R(byte n) { depth++; if :: n > 0 -> run R(n - 1) :: else fi }
init { run R(3) }
