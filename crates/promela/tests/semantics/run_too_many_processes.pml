/* expect: violated abort */
/* Children that have ended but may not die pile up: the 256th process is an
   error at which pan gives up. */
byte n;
proctype C() { n-- }
init { do :: n < 2 -> n++; run C() od }
