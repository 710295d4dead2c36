/* expect: holds; states: 13; transitions: 15 */
/* Two orders of messages are two states; a received slot leaves no trace. */
chan c = [2] of { byte };
active proctype P() { c!1 }
active proctype Q() { c!2 }
active proctype R() { c?_; c?_ }
