/* expect: holds; states: 29; transitions: 46 */
/* The main sequence waits for a handshake, the escape for a flag. */
chan c = [0] of { byte }; bool stop; byte x;
active proctype P() { { c?x; x = x + 1 } unless { stop -> x = 9 } }
active proctype Q() { do :: c!5 -> break :: stop -> break od }
active proctype R() { stop = true }
