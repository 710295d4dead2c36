/* expect: violated abort */
/* 255 processes are possible; the 256th makes pan give up. */
byte n;
proctype C() { false }
init { atomic { do :: n < 254 -> run C(); n++ :: else -> break od }; run C() }
