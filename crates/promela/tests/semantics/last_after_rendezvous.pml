/* expect: holds; states: 6; transitions: 5 */
/* After a handshake _last is the receiver. */
chan c = [0] of { byte };
byte r = 9;
active proctype P() { c!1 }
active proctype Q() { c?_; r = _last; assert(r == 1) }
