/* expect: holds; states: 10; transitions: 12 */
/* After a handshake control is with the receiver; if that is in no atomic, the
   sender's atomic is interrupted: a state is stored, and anybody may move. From
   its next step on the sender is atomic again. */
chan c = [0] of { byte };
byte x, y;
active proctype P() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype Q() { byte v; c?v; y = 1; y = 2 }
