/* expect: violated deadlock; states: 25; transitions: 28; errors: 1 */
/* The pattern is evaluated at the moment of the handshake. */
chan c = [0] of { byte };
byte want;
active proctype P() { c!2 }
active proctype Q() { c?eval(want); want = 9 }
active proctype R() { do :: want < 3 -> want++ :: want >= 3 -> break od }
