/* expect: holds; states: 9; transitions: 8 */
/* Buffered send and receive inside atomics; the receiver blocks in the
   middle of its atomic until there is a message. */
chan c = [1] of { byte };
byte got;
active proctype P() { atomic { c!1; c!2; c!3 } }
active proctype Q() { byte v; atomic { c?v; got = v; c?v; got = got + v; c?v; got = got + v } }
